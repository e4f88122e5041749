import type { PostRow } from '../queries.ts'
import type { Note } from './notes.ts'

export interface FoundTerm {
  name: string
  slug: string
  description?: string
  sortOrder?: number
  lang?: string
  /** Of a category: the one above it. */
  parent?: FoundTerm | undefined
}

export interface FoundComment {
  /** The same in every run. */
  key: string
  parentKey: string | undefined
  /** Mail address of whoever said it. */
  email: string | undefined
  /** HTML or plain text, as `isHtml` says. */
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
  /** Undefined: that of the post. */
  lang?: string | undefined
  slug: string
}

/** A post as a file tells of it: nothing of it has been checked. */
export interface FoundPost {
  /** The same in every run: what has been taken once is known by it. */
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
  /** Mail address of its author; undefined when the file names none. */
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
  /** Slugs that it had before, where links may still lead. */
  formerSlugs?: FoundName[]
  /** Where it was, for redirects. */
  address: string | undefined
  metadata: Record<string, unknown>
  /** Members that its type decides about. */
  typed: { post_type?: string; fields?: Record<string, unknown>; seo?: Record<string, unknown> }
  /** What of it could not be taken as it was. */
  notes: Note[]
}

export type Finding = { post: FoundPost } | { skipped: string; title: string }

/** A file from which posts come, read from its beginning each time. */
export interface Source {
  format: string
  /** Of posts that name none. */
  lang: string | undefined
  /** Whether that is of all posts, whatever the file says. */
  isLanguageOfAll: boolean
  /** Those that no post needs, too. */
  categories: FoundTerm[]
  tags: FoundTerm[]
  read(): AsyncIterable<Finding>
}

export interface SourceOptions {
  /** Whether pages are taken as posts. */
  pages: boolean
  /** Of all posts, where the file does not say it of each. */
  lang: string | undefined
  /** Where the site is, for what the file says about its own addresses. */
  site: string | undefined
}

/** What is wrong with a file as a whole: nothing of it is taken. */
export class UnreadableFile extends Error {}
