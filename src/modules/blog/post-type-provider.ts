import type { RawBuilder } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db, Tables } from '../../db/tables.ts'
import type { FieldProblem } from '../../lib/errors.ts'
import type { PostTypeColumns } from './rows.ts'

/** Members that the provider adds to posts: those of its installed components. */
export type TypedPost = Partial<PostTypeColumns>

/** A port for one module. Without it, a single type, `post`, allows everything. */
export interface PostTypeProvider {
  /** The existing columns that the module adds to the table `posts`. Every query for posts must select them. */
  columns(): readonly (keyof PostTypeColumns)[]
  /** Without I/O or a promise; undefined if `load` is needed. The object is the same until a definition changes. */
  recall(): PostTypeRules | undefined
  /** The types for readers, from memory, the shared cache or the database. */
  load(): Promise<PostTypeRules>
  /** The current types for writers, never from an unconfirmed cache. */
  loadFresh(db: Db): Promise<PostTypeRules>
}

export interface PostTypeRules {
  /** Includes inactive types, and types other than `post` while the module is disabled. */
  find(key: string): PostType | undefined
  typeOf(post: TypedPost): PostType
  /** Whether the type hides a post that the reader could otherwise read. `reader` is undefined without a session. */
  hides(post: TypedPost & { user_id: string | null }, reader: { id: string; user_type: string } | undefined): boolean
  /** The opposite of `hides`, as an SQL condition on the posts with this alias. */
  readable(alias: string, reader: { id: string; user_type: string } | undefined): RawBuilder<boolean>
  /** The types behind `readable`: open ones, and those that show only own posts; undefined if all are open. */
  readableKeys(reader: { id: string; user_type: string } | undefined): ReadableKeys | undefined
  /** Condition for posts in sitemaps and feeds: readable without a session, and not `noindex`. */
  collectable(alias: string): RawBuilder<boolean>
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

export interface PostType {
  readonly key: string
  /** Prefix in public addresses, without slashes; may be empty. */
  readonly slugPrefix: string
  /** If false, no post of this type can be created or published. Only `post` is active while the module is disabled. */
  readonly isActive: boolean
  /** If false, requests of writers may not name the type. */
  readonly isOffered: boolean
  readonly features: Readonly<Record<PostFeature, boolean>>
  /** Used for posts that name none. */
  readonly defaultVisibility: Tables['posts']['visibility']
  /** The allowed formats; the first is used for posts that name none. */
  readonly bodyFormats: [Tables['posts']['body_format'], ...Tables['posts']['body_format'][]]
  readonly allowsPassword: boolean
  /** If true, a post becomes `pending` when a user who is not an administrator publishes it. */
  readonly requiresApproval: boolean
  /** 0 means no limit. */
  readonly maxPerAuthor: number
  mayCreate(userType: string): boolean
  /** Returns the values to store; null clears a field. Throws VALIDATION_ERROR with every problem found. */
  readFields(input: Record<string, unknown>): Record<string, unknown>
  cleanFields(
    fields: Record<string, unknown>,
    clean: (html: string, field: string) => Promise<string>,
  ): Promise<Record<string, unknown>>
  /** Validates `seo` of a request and returns it as it is stored. Throws VALIDATION_ERROR. */
  readSeo(input: Record<string, unknown>): TypedPost
  /** The columns of a post of this type after the validated members are applied. */
  columnsOf(
    before: TypedPost,
    read: { fields?: Record<string, unknown> | undefined; seo?: TypedPost | undefined },
  ): TypedPost
  /** Required fields without a value, for a post that is pending, scheduled or published. */
  missingFields(post: TypedPost): FieldProblem[]
  /** Stored fields for display, also those of a revision. */
  shownFields(stored: Record<string, unknown>): Record<string, unknown>
}

export type PostFeature = 'comments' | 'reactions' | 'bookmarks' | 'views' | 'scheduling' | 'seo'

declare module '../../context.ts' {
  interface Context {
    postTypeProvider: PostTypeProvider
  }
}

declare module '../../hub/define-module.ts' {
  interface ModuleDefinition {
    /** Used for every post while the module is installed, even if it is disabled. */
    postTypeProvider?(ctx: Context): PostTypeProvider
  }
}
