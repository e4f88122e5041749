import { AppError } from '../../../../../lib/errors.ts'
import { looksLikeId } from '../../../../../lib/ids.ts'
import { call } from '../../../../../ui/shared/api-route.ts'
import type { PageApi } from '../../../../../ui/shared/visit.ts'
import type { ShownComment } from '../../../comments/schemas.ts'
import { ListCommentsRoute } from '../../../comments/schemas.ts'
import { hasExtension } from '../../../components.ts'
import { ReadByIdRoute, ReadBySlugRoute } from '../../../post-schemas.ts'
import type { ShownPost } from '../../../schemas.ts'
import { isFormerSlug } from '../../../slugs.ts'
import { ListTranslationsRoute } from '../../../translations/schemas.ts'
import { contentOf, type Reader } from '../reader.ts'
import { passwordHeader } from '../unlock-cookie.ts'

export interface LoadedPost {
  post: ShownPost
  /** The versions of the post in other languages. */
  versions: { lang: string; slug: string }[]
  wasRenamed: boolean
  isUnlocked: boolean
}

/** Returns `locked` if the reader must enter the post's password. By default, `password` is read from the cookie. */
export async function loadPost(
  reader: Reader,
  slug: string,
  lang: string | undefined,
  password = reader.unlocked.passwordFor(slug),
): Promise<LoadedPost | 'locked'> {
  // The post is identified by a slug or an id. Other API paths begin with reserved words.
  if (!isFormerSlug(slug.normalize('NFC')) && !looksLikeId(slug)) throw new AppError('NOT_FOUND')
  const headers = passwordHeader(password)
  const api: PageApi = (apiCall) => reader.api({ ...apiCall, headers: { ...headers } })
  const response = await api(call(ReadBySlugRoute, { params: { slug }, query: { lang } }))
  if (!response.ok && response.rejection.code === 'PASSWORD_REQUIRED') return 'locked'
  const { data: post, meta } = contentOf(response)
  const versions = await otherVersions(api, post)
  const isUnlocked = headers !== undefined && post.visibility === 'password'
  return { post, versions, wasRenamed: meta.redirected_from !== undefined, isUnlocked }
}

async function otherVersions(api: PageApi, post: ShownPost): Promise<LoadedPost['versions']> {
  if (!post.translations?.length) return []
  const { data } = contentOf(await api(call(ListTranslationsRoute, { params: { id: post.id } })))
  const translations = data.map(({ lang, slug }) => ({ lang, slug }))
  if (!post.translations.includes(post.lang)) return translations
  return [...(await originalOf(api, post)), ...translations.filter(({ lang }) => lang !== post.lang)]
}

/** Given a post id without a language, the API returns the original. */
async function originalOf(api: PageApi, { id }: ShownPost): Promise<LoadedPost['versions']> {
  const { data } = contentOf(await api(call(ReadByIdRoute, { params: { id } })))
  return [{ lang: data.lang, slug: data.slug }]
}

export interface LoadedComments {
  comments: ShownComment[]
  page: number
  pages: number
  total: number
}

const commentsPerPage = 50

export async function loadComments(reader: Reader, post: ShownPost, page: string | undefined): Promise<LoadedComments> {
  const none = { comments: [], page: 1, pages: 1, total: 0 }
  if (!hasExtension(reader.ctx, 'ext-comments')) return none
  const number = Math.max(1, Math.trunc(Number(page ?? 1)) || 1)
  const headers = passwordHeader(reader.unlocked.passwordFor(post.slug))
  const query = { page: number, limit: commentsPerPage }
  const list = call(ListCommentsRoute, { params: { id: post.id }, query, headers: { ...headers } })
  const response = await reader.api(list)
  // The request with the entered password has no cookie yet, so the comments are loaded with the next request.
  if (!response.ok && response.rejection.code === 'PASSWORD_REQUIRED') return none
  const { data: comments, meta } = contentOf(response)
  return { comments, page: number, pages: meta.pages, total: meta.total }
}
