import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { GeneratedColumns, JsonObject } from '../../db/rows/kinds.ts'

/** The columns that the type provider adds to `posts`. A provider extension adds the SEO columns. */
export interface PostTypeColumns {
  post_type: string
  custom_fields: JsonObject
  seo_title: string | null
  seo_description: string | null
  seo_keywords: string | null
  canonical_url: string | null
  og_title: string | null
  og_description: string | null
  og_image: string | null
  noindex: boolean
}

export interface PostsTable extends GeneratedColumns<PostTypeColumns> {
  id: string
  user_id: string | null
  lang: string
  title: string
  slug: string
  body: string | null
  body_format: 'markdown' | 'html' | 'text' | 'json'
  body_html: string | null
  body_start: string
  excerpt: string | null
  featured_image: string | null
  featured_image_key: string | null
  status: 'draft' | 'pending' | 'scheduled' | 'published'
  visibility: 'public' | 'auth' | 'private' | 'password'
  password_hash: string | null
  comments_enabled: boolean
  reactions_enabled: boolean
  scheduled_at: Date | null
  published_at: Date | null
  metadata: JsonObject
  search: string | null
  live_from: GeneratedAlways<Date | null>
  deleted_at: Date | null
  deleted_by: string | null
  created_at: Date
  updated_at: Date
}

export interface PostCategoriesTable extends PostTagsTable {
  description: Generated<string>
  parent_id: string | null
  sort_order: Generated<number>
}

export interface PostTagsTable {
  id: string
  name: string
  slug: string
  lang: string
  created_at: Date
  updated_at: Date
}

export interface PostCountsTable {
  facet: 'all' | 'day' | 'author' | 'category' | 'tag'
  key: string
  lang: string
  visibility: PostsTable['visibility']
  post_type: string
  posts: number
}

export interface PostRevisionsTable {
  id: string
  post_id: string
  user_id: string | null
  title: string
  body: string | null
  body_format: PostsTable['body_format']
  excerpt: string | null
  fields: ColumnType<JsonObject, JsonObject | undefined>
  created_at: Date
}

export interface PostCommentsTable {
  id: string
  post_id: string
  user_id: string | null
  parent_id: string | null
  depth: number
  comment_body: string
  status: 'pending' | 'approved' | 'rejected' | 'spam'
  moderated_by: string | null
  moderated_at: Date | null
  moderation_reason: string | null
  edited_at: Date | null
  deleted_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface PostReactionsTable {
  id: string
  post_id: string
  user_id: string
  reaction: string
  created_at: Date
}

export interface PostTranslationsTable
  extends Pick<PostsTable, 'title' | 'body' | 'body_format' | 'body_html' | 'body_start'> {
  id: string
  post_id: string
  user_id: string | null
  lang: string
  slug: string
  excerpt: string | null
  created_at: Date
  updated_at: Date
}

export interface PostPreviewLinksTable {
  id: string
  post_id: string
  token_hash: Buffer
  created_at: Date
  expires_at: Date
}

declare module '../../db/tables.ts' {
  interface Tables {
    posts: PostsTable
    post_categories: PostCategoriesTable
    post_tags: PostTagsTable
    post_category_links: { post_id: string; category_id: string }
    post_tag_links: { post_id: string; tag_id: string }
    post_former_slugs: { slug: string; lang: string; post_id: string }
    post_revisions: PostRevisionsTable
    post_comments: PostCommentsTable
    post_reactions: PostReactionsTable
    post_bookmarks: { post_id: string; user_id: string; bookmarked_at: Date }
    post_translations: PostTranslationsTable
    post_counts: PostCountsTable
    post_preview_links: PostPreviewLinksTable
  }
}
