import type { RawBuilder } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db, Tables } from '../../db/tables.ts'
import type { FieldProblem } from '../../lib/errors.ts'
import type { PostTypeColumns } from './rows.ts'

/** The members that the provider's installed components add to posts. */
export type TypedPost = Partial<PostTypeColumns>

/** At most one module can provide the types. Without a provider, `post` is the only type and has no restrictions. */
export interface PostTypeProvider {
  /** The columns that the module has added to the `posts` table. Every post query must select them. */
  columns(): readonly (keyof PostTypeColumns)[]
  /**
   * Returns the cached types without I/O, or undefined if `load` is needed. Returns a different object after the types
   * have changed.
   */
  recall(): PostTypeRules | undefined
  /** Returns the types for readers, from memory, the shared cache or the database. */
  load(): Promise<PostTypeRules>
  /** Returns the current types for writers. Cached types are used only if they match the database. */
  loadFresh(db: Db): Promise<PostTypeRules>
}

export interface PostTypeRules {
  /** Includes inactive types. While the module is disabled, all types other than `post` are inactive. */
  find(key: string): PostType | undefined
  /** The types offered, in display order. */
  all(): readonly PostType[]
  typeOf(post: TypedPost): PostType
  /** Whether the type hides a post that the reader could otherwise read. `reader` is undefined without a session. */
  hides(post: TypedPost & { user_id: string | null }, reader: { id: string; user_type: string } | undefined): boolean
  /** The opposite of `hides`, as an SQL condition on posts with this alias. */
  readable(alias: string, reader: { id: string; user_type: string } | undefined): RawBuilder<boolean>
  /** The types open to the reader, and the types that show readers only their own posts. Undefined if all are open. */
  readableKeys(reader: { id: string; user_type: string } | undefined): ReadableKeys | undefined
  /** The condition for posts in sitemaps and feeds: readable without a session and not `noindex`. */
  collectable(alias: string): RawBuilder<boolean>
  shown(post: TypedPost): PostTypeView
}

export interface ReadableKeys {
  open: readonly string[]
  own: readonly string[]
}

export interface PostTypeView {
  post_type?: string
  fields?: Record<string, unknown>
  seo?: Omit<PostTypeColumns, 'post_type' | 'custom_fields'>
}

export interface PostType {
  readonly key: string
  /** The administrator-defined name. */
  readonly name: string
  /** The fields in the writer's form, in display order. */
  readonly fields: readonly EditorField[]
  /** The prefix in public URLs, without slashes, or an empty string. */
  readonly slugPrefix: string
  /** If false, no post of this type can be created or published. Only `post` is active while the module is disabled. */
  readonly isActive: boolean
  /** If false, writers' requests must not specify the type. */
  readonly isOffered: boolean
  readonly features: Readonly<Record<PostFeature, boolean>>
  /** Used for posts created without a visibility. */
  readonly defaultVisibility: Tables['posts']['visibility']
  /** The allowed formats. The first is the default for new posts. */
  readonly bodyFormats: [Tables['posts']['body_format'], ...Tables['posts']['body_format'][]]
  readonly allowsPassword: boolean
  /** If true, a post published by a non-administrator becomes `pending`. */
  readonly requiresApproval: boolean
  /** 0 means no limit. */
  readonly maxPerAuthor: number
  mayCreate(userType: string): boolean
  /** Returns the values to store. Null clears a field. Throws VALIDATION_ERROR with every problem found. */
  readFields(input: Record<string, unknown>): Record<string, unknown>
  cleanFields(
    fields: Record<string, unknown>,
    clean: (html: string, field: string) => Promise<string>,
  ): Promise<Record<string, unknown>>
  /** Validates a request's `seo` member and returns its columns. Throws VALIDATION_ERROR. */
  readSeo(input: Record<string, unknown>): TypedPost
  /** Applies the validated members to a post's columns for this type and returns the result. */
  columnsOf(
    before: TypedPost,
    read: { fields?: Record<string, unknown> | undefined; seo?: TypedPost | undefined },
  ): TypedPost
  /** Lists required fields without a value. Values are required only for pending, scheduled and published posts. */
  missingFields(post: TypedPost): FieldProblem[]
  /** Returns a post's or revision's stored fields for display. */
  shownFields(stored: Record<string, unknown>): Record<string, unknown>
}

export interface EditorField {
  readonly name: string
  readonly label: string
  /** For example `text`, `number`, `boolean` or `select`. Pages show unknown types as text. */
  readonly type: string
  readonly required: boolean
  readonly options?: readonly string[]
  readonly max_length?: number
  readonly placeholder?: string
}

export type PostFeature = 'comments' | 'reactions' | 'bookmarks' | 'views' | 'scheduling' | 'seo'

declare module '../../context.ts' {
  interface Context {
    postTypeProvider: PostTypeProvider
  }
}

declare module '../../hub/define-module.ts' {
  interface ModuleDefinition {
    /** Used for all posts while the module is installed, even if the module is disabled. */
    postTypeProvider?(ctx: Context): PostTypeProvider
  }
}
