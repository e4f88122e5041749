import type { FastifyReply } from 'fastify'
import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { looksLikeId } from '../../../../lib/ids.ts'
import type { AdminVisit } from '../../../../ui/console/admin-visit.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { ListPostsRoute } from '../../lists/schemas.ts'
import { RestorePostRoute } from '../../move-schemas.ts'
import { typesOf } from '../../read-post.ts'
import { ListAuthorsRoute } from '../../taxonomy/schemas.ts'
import { linkWithQuery } from '../reading/links.ts'
import { contentPages, contentRightsOf, form, read } from './content-visit.ts'
import { type ContentList, type ContentQuery, contentListPage, type ListState, listStates } from './list-view.ts'
import { ContentRoute, contentPaths, RestorePostFormRoute } from './schemas.ts'

const pageSize = 25

export const contentListRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = contentPages(ctx, http)
    pages.get(contentPaths.posts, { schema: ContentRoute, config: read }, (member, { query: { done, ...query } }) =>
      showContent(ctx, member, query, { done }),
    )
    pages.post(contentPaths.restore, { schema: RestorePostFormRoute, config: form }, async (member, { body }) => {
      const restore = call(RestorePostRoute, { params: { id: body.id }, body: {} })
      const response = await member.submit(contentPaths.restore, body.form_token, restore)
      if (response.ok) return member.go(linkWithQuery(contentPaths.posts, { state: 'draft', done: 'restored' }))
      return showContent(ctx, member, { state: 'trash' }, { problem: response.rejection.code }, response.status)
    })
  }

async function showContent(
  ctx: Context,
  member: AdminVisit,
  query: ContentQuery,
  outcome: Pick<ContentList, 'done' | 'problem'>,
  status = 200,
): Promise<FastifyReply> {
  const rights = contentRightsOf(ctx, member)
  // Moderators who may not write posts start on the list of comments.
  if (!rights.writes) return member.go(contentPaths.comments)
  const state = stateOf(query.state, rights.administers)
  const page = Math.max(1, Math.trunc(Number(query.page ?? 1)) || 1)
  const [response, authors, types] = await Promise.all([
    member.api(call(ListPostsRoute, { query: { ...filtersFor(state, query), page, limit: pageSize } })),
    rights.administers ? member.read(call(ListAuthorsRoute, { query: { limit: 100 } })) : [],
    typesOf(ctx),
  ])
  const { data: posts, meta } = response.ok ? response.body : { data: [], meta: { total: 0, pages: 1 } }
  const list: ContentList = {
    ...{ area: member.area, rights, state, query, posts, page, authors, now: ctx.clock.now() },
    total: meta.total,
    pages: Math.max(1, meta.pages),
    types: types.all().map(({ key, name }) => ({ key, name })),
    restoreForm: member.sign(contentPaths.restore),
    problem: response.ok ? undefined : response.rejection.code,
    ...outcome,
  }
  return member.show((shown) => contentListPage(list, shown), status)
}

/** By default, writers see their own posts, and administrators see all published posts. */
function stateOf(text: string | undefined, administers: boolean): ListState {
  const wanted = listStates.find((one) => one === text)
  if (wanted === undefined || (wanted === 'trash' && !administers)) return administers ? 'published' : 'mine'
  return wanted
}

function filtersFor(state: ListState, { q, lang, type, author, sort }: ContentQuery) {
  const [by, order] = sort === 'title' ? ['title', 'asc'] : [sort || 'updated_at', 'desc']
  return {
    ...(state === 'mine' ? { mine: 'true' } : { status: state === 'trash' ? 'deleted' : state }),
    q,
    lang,
    post_type: type,
    author: author && looksLikeId(author) ? author : undefined,
    sort: by,
    order,
  }
}
