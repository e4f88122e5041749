import type { ShownListedPost } from '../../../lists/schemas.ts'
import { base } from '../../../names.ts'
import { authorName } from '../authors.ts'
import { linkWithQuery, type TermPlace } from '../links.ts'
import { contentOf, type Reader } from '../reader.ts'

export interface ReadingQuery {
  lang?: string | undefined
  page?: string | undefined
  q?: string | undefined
}

/** The category, tag or author whose posts are listed. */
export interface ListedTerm {
  place: TermPlace
  /** The slug, or an author's id. */
  name: string
  title: string
  description: string
}

export interface PostList {
  posts: ShownListedPost[]
  page: number
  pages: number
  term: ListedTerm | undefined
}

interface ListReply {
  data: ShownListedPost[]
  meta: { page: number; pages: number }
}

const pageSize = 12

export async function loadList(reader: Reader, query: ReadingQuery, term?: ListedTerm): Promise<PostList> {
  const page = Math.max(1, Math.trunc(Number(query.page ?? 1)) || 1)
  const { lang, q } = query
  const path = linkWithQuery(base, { page, limit: pageSize, lang, q, ...(term && { [term.place]: term.name }) })
  const answer = await reader.api<ListReply>({ method: 'GET', path })
  // A rejected search shows an empty list instead of an error page because visitors enter the search text.
  if (!answer.ok && answer.refusal.code === 'VALIDATION_ERROR' && q) return { posts: [], page: 1, pages: 1, term }
  const { data: posts, meta } = contentOf(answer)
  if (page > 1) contentOf(posts.length > 0 ? answer : notFound)
  return { posts, page, pages: meta.pages, term }
}

const notFound = { ok: false, status: 404, refusal: { code: 'NOT_FOUND' } } as const

const lists = { category: 'categories', tag: 'tags', author: 'authors' } as const

export async function findListedTerm(reader: Reader, place: TermPlace, name: string): Promise<ListedTerm | undefined> {
  const path = `${base}/${lists[place]}/${encodeURIComponent(name)}`
  const answer = await reader.api<{ data: TermMembers }>({ method: 'GET', path })
  if (!answer.ok && answer.status !== 429) return undefined
  const { data } = contentOf(answer)
  if (place === 'author') return { place, name: data.id, title: authorName(data), description: '' }
  return { place, name: data.slug ?? name, title: data.name, description: data.description ?? '' }
}

interface TermMembers {
  id: string
  name: string
  slug?: string
  description?: string
  last_name?: string
  display_name: string | null
}
