import type { FastifyReply } from 'fastify'
import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { looksLikePreviewToken } from '../../preview-links/token.ts'
import { postComment } from './comments/post-comment.ts'
import { isTermPlace } from './links.ts'
import { findListedTerm, type ListedTerm, loadList, type ReadingQuery } from './list/load-list.ts'
import { listView } from './list/view.ts'
import { unlock } from './locked/unlock.ts'
import { showPost } from './post/show-post.ts'
import { showPreview } from './preview/show-preview.ts'
import { type Reader, readingPages } from './reader.ts'
import { BlogRoute, CommentRoute, PlacedRoute, PostRoute, PreviewRoute, readingPaths, UnlockRoute } from './schemas.ts'

export const readingPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = readingPages(ctx, http)
    const config = { ...readByAnyone, module: 'blog' } as const
    const form = { ...postedByAnyone, module: 'blog' } as const
    pages.get(readingPaths.blog, { schema: BlogRoute, config }, (reader, { query }) => showList(reader, query))
    pages.get(`${readingPaths.blog}/:slug`, { schema: PostRoute, config }, (reader, { params, query }) =>
      showPost(reader, { slug: params.slug, place: undefined, lang: query.lang }, query),
    )
    pages.get(readingPaths.preview, { schema: PreviewRoute, config }, (reader, { params: { token }, query }) =>
      looksLikePreviewToken(token)
        ? showPreview(reader, { previewToken: token, lang: query.lang })
        : // The prefix of a post type can also be `preview`.
          showPost(reader, { slug: token, place: 'preview', lang: query.lang }, query),
    )
    pages.get(`${readingPaths.blog}/:place/:slug`, { schema: PlacedRoute, config }, async (reader, request) => {
      const { params, query } = request
      const term = isTermPlace(params.place) ? await findListedTerm(reader, params.place, params.slug) : undefined
      return term ? showList(reader, query, term) : showPost(reader, { ...params, lang: query.lang }, query)
    })
    pages.post(readingPaths.unlock, { schema: UnlockRoute, config: form }, (reader, { body }) => unlock(reader, body))
    pages.post(readingPaths.comment, { schema: CommentRoute, config: form }, (reader, { body }) =>
      postComment(reader, body),
    )
  }

async function showList(reader: Reader, query: ReadingQuery, term?: ListedTerm): Promise<FastifyReply> {
  const list = await loadList(reader, query, term)
  return reader.send(listView(reader, query, list), { lang: query.lang, isPersonal: false })
}
