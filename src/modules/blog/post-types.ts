import type { RawBuilder } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db, Tables } from '../../db/tables.ts'
import type { FieldProblem } from '../../lib/errors.ts'
import type { PostTypeColumns } from './rows.ts'

/** What posts have of the module post-types: nothing without it, the members of installed components with it. */
export type TypedPost = Partial<PostTypeColumns>

/**
 * What the module post-types tells the blog. Without the module there is one type, `post`, which allows everything:
 * whoever asks this port needs no question whether the module is there.
 */
export interface PostTypes {
  /** What it adds to the table `posts`, as far as that exists: whoever reads posts reads these too. */
  columns(): readonly (keyof PostTypeColumns)[]
  /**
   * The types for readers, from this process alone: no I/O, no promise. Undefined: `load` them. The same object comes
   * back until a definition or what is installed changes, so whatever was made by it is good while it does.
   */
  recall(): PostTypeRules | undefined
  /** The types for readers, from memory, the shared cache or the database. */
  load(): Promise<PostTypeRules>
  /** The types for writers: as they are, never from a copy that nobody has confirmed. */
  loadFresh(db: Db): Promise<PostTypeRules>
}

/** All types as they were at one moment. */
export interface PostTypeRules {
  /** Also inactive ones, and others than `post` while the module is off. */
  find(key: string): PostType | undefined
  /** Of a post as it is stored. */
  typeOf(post: TypedPost): PostType
  /** Whether its type hides a post from somebody who might read it otherwise. Nobody: undefined. */
  hides(post: TypedPost & { user_id: string | null }, reader: { id: string; user_type: string } | undefined): boolean
  /** The opposite, as a condition in SQL on the posts of this table or alias. */
  readable(alias: string, reader: { id: string; user_type: string } | undefined): RawBuilder<boolean>
  /** The types behind `readable`: those that somebody reads, and those of which only their own posts; undefined: all. */
  readableKeys(reader: { id: string; user_type: string } | undefined): ReadableKeys | undefined
  /** What programs may collect and offer to everyone, in sitemaps and feeds: readable for nobody in particular, and not `noindex`. */
  collectable(alias: string): RawBuilder<boolean>
  /** The members `post_type`, `fields` and `seo` of a post, those that there are. */
  shown(post: TypedPost): ShownType
}

export interface ReadableKeys {
  open: readonly string[]
  own: readonly string[]
}

export interface ShownType {
  post_type?: string
  fields?: Record<string, unknown>
  seo?: Omit<PostTypeColumns, 'post_type' | 'custom_fields'>
}

/** What posts of one type may have, and may not. */
export interface PostType {
  readonly key: string
  /** Of public addresses, without slashes; empty for none. */
  readonly slugPrefix: string
  /** False: nothing is created or published in it. Also of others than `post` while the module is off. */
  readonly isActive: boolean
  /** False: a writer may not name it at all. */
  readonly isOffered: boolean
  readonly features: Readonly<Record<PostFeature, boolean>>
  /** Of posts that name none. */
  readonly defaultVisibility: Tables['posts']['visibility']
  /** The allowed ones; the first is for posts that name none. */
  readonly bodyFormats: [Tables['posts']['body_format'], ...Tables['posts']['body_format'][]]
  readonly allowsPassword: boolean
  /** Whoever is no administrator gets `pending` where they asked for publishing. */
  readonly requiresApproval: boolean
  /** 0: as many as they like. */
  readonly maxPerAuthor: number
  mayCreate(userType: string): boolean
  /** `fields` of a request as they will be stored; null clears one. Throws VALIDATION_ERROR with all that is wrong. */
  readFields(given: Record<string, unknown>): Record<string, unknown>
  /** Sanitises the HTML among what `readFields` gave. */
  cleanFields(
    fields: Record<string, unknown>,
    clean: (html: string, field: string) => Promise<string>,
  ): Promise<Record<string, unknown>>
  /** `seo` of a request as it will be stored. Throws VALIDATION_ERROR. */
  readSeo(given: Record<string, unknown>): TypedPost
  /** The columns of a post of this type once it has taken in what was read. */
  columnsOf(
    before: TypedPost,
    read: { fields?: Record<string, unknown> | undefined; seo?: TypedPost | undefined },
  ): TypedPost
  /** What a post that waits, or is out, must have and has not. */
  missingFields(post: TypedPost): FieldProblem[]
  /** Stored fields as they are shown: also those of a revision. */
  shownFields(stored: Record<string, unknown>): Record<string, unknown>
}

export type PostFeature = 'comments' | 'reactions' | 'bookmarks' | 'views' | 'scheduling' | 'seo'

declare module '../../context.ts' {
  interface Context {
    postTypes: PostTypes
  }
}

declare module '../../hub/define-module.ts' {
  interface ModuleDefinition {
    /** Asked for every post while the module is installed, also while it is switched off. */
    postTypes?(ctx: Context): PostTypes
  }
}
