import type { PostRow } from '../queries.ts'
import type { ImportNote } from './notes.ts'

export interface FoundTerm {
  name: string
  slug: string
  description?: string
  sortOrder?: number
  lang?: string
  parent?: FoundTerm | undefined
}

export interface FoundComment {
  /** A key that is stable across runs. */
  key: string
  parentKey: string | undefined
  email: string | undefined
  /** HTML or plain text, depending on `isHtml`. */
  text: string
  isHtml: boolean
  status: 'approved' | 'pending' | 'rejected' | 'spam'
  createdAt: Date | undefined
}

export interface FoundTranslation {
  lang: string
  title: string
  slug: string
  body: string | null
  excerpt: string | null
  email: string | undefined
}

export interface FoundName {
  /** The slug's language. Undefined means the post's language. */
  lang?: string | undefined
  slug: string
}

export interface FoundPost {
  /** A key that is stable across runs, so a post is imported only once. */
  key: string
  title: string
  slug: string
  body: string | null
  bodyFormat: PostRow['body_format']
  excerpt: string | null
  status: PostRow['status']
  visibility: PostRow['visibility']
  password: string | undefined
  lang: string | undefined
  /** The author's email address. Undefined if the file contains none. */
  email: string | undefined
  featuredImage: string | undefined
  createdAt: Date | undefined
  updatedAt: Date | undefined
  publishedAt: Date | undefined
  scheduledAt: Date | undefined
  categories: FoundTerm[]
  tags: FoundTerm[]
  commentsEnabled: boolean
  reactionsEnabled: boolean
  comments: FoundComment[]
  translations: FoundTranslation[]
  formerSlugs?: FoundName[]
  /** The former URL, needed for redirects. */
  address: string | undefined
  metadata: Record<string, unknown>
  /** The members whose rules depend on the post's type. */
  typed: { post_type?: string; fields?: Record<string, unknown>; seo?: Record<string, unknown> }
  /** Describes the parts of the post that could not be imported unchanged. */
  notes: ImportNote[]
}

export type ImportFinding = { post: FoundPost } | { skipped: string; title: string }

export interface ImportSource {
  format: string
  /** The language of posts for which the file specifies none. */
  lang: string | undefined
  /** Whether `lang` applies to all posts, even if the file specifies other languages. */
  isLanguageOfAll: boolean
  /** Includes categories without posts. */
  categories: FoundTerm[]
  tags: FoundTerm[]
  /** Notes on the file. */
  notes?: ImportNote[]
  read(): AsyncIterable<ImportFinding>
}

export interface SourceOptions {
  /** Whether pages are imported as posts. */
  pages: boolean
  /** The language of posts for which the file specifies none. */
  lang: string | undefined
  /** The site URL, against which relative URLs in the file are resolved. */
  site: string | undefined
}

/** The file cannot be read in full, so nothing is imported. */
export class UnreadableFile extends Error {}
