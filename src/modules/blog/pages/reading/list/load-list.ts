import { call } from '../../../../../ui/shared/api-route.ts'
import type { ApiResponse } from '../../../../../ui/shared/call-api.ts'
import type { ShownListedPost } from '../../../lists/schemas.ts'
import { ListPostsRoute } from '../../../lists/schemas.ts'
import { categorySchemas, ReadAuthorRoute, tagSchemas } from '../../../taxonomy/schemas.ts'
import { authorName } from '../authors.ts'
import type { TermPlace } from '../links.ts'
import { contentOf, type Reader } from '../reader.ts'

export interface ReadingQuery {
  lang?: string
  page?: string
  q?: string
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

const pageSize = 12

export async function loadList(reader: Reader, query: ReadingQuery, term?: ListedTerm): Promise<PostList> {
  const page = Math.max(1, Math.trunc(Number(query.page ?? 1)) || 1)
  const { lang, q } = query
  const ofTerm = term && { [term.place]: term.name }
  const response = await reader.api(call(ListPostsRoute, { query: { page, limit: pageSize, lang, q, ...ofTerm } }))
  // A rejected search shows an empty list instead of an error page because visitors enter the search text.
  if (!response.ok && response.rejection.code === 'VALIDATION_ERROR' && q) return { posts: [], page: 1, pages: 1, term }
  const { data: posts, meta } = contentOf(response)
  if (page > 1) contentOf(posts.length > 0 ? response : notFound)
  return { posts, page, pages: meta.pages, term }
}

const notFound = { ok: false, status: 404, rejection: { code: 'NOT_FOUND' } } as const

export async function findListedTerm(reader: Reader, place: TermPlace, name: string): Promise<ListedTerm | undefined> {
  const params = { id: name }
  if (place === 'author') {
    const author = foundOf(await reader.api(call(ReadAuthorRoute, { params })))
    return author && { place, name: author.id, title: authorName(author), description: '' }
  }
  if (place === 'tag') {
    const tag = foundOf(await reader.api(call(tagSchemas.read, { params })))
    return tag && { place, name: tag.slug, title: tag.name, description: '' }
  }
  const category = foundOf(await reader.api(call(categorySchemas.read, { params })))
  return category && { place, name: category.slug, title: category.name, description: category.description ?? '' }
}

function foundOf<Body extends { data: unknown }>(response: ApiResponse<Body>): Body['data'] | undefined {
  return response.ok || response.status === 429 ? contentOf(response).data : undefined
}
