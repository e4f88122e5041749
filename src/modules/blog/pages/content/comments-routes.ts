import type { FastifyReply } from 'fastify'
import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { AppError } from '../../../../lib/errors.ts'
import { looksLikeId } from '../../../../lib/ids.ts'
import type { AdminVisit } from '../../../../ui/console/admin-visit.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import type { ShownComment } from '../../comments/schemas.ts'
import { ListForModeratorRoute, ModerateCommentRoute } from '../../comments/schemas.ts'
import { ReadByIdRoute } from '../../post-schemas.ts'
import { linksOf, linkWithQuery } from '../reading/links.ts'
import { type CommentQueue, commentStates, commentsPage } from './comments-view.ts'
import { contentPages, contentRightsOf, form, read } from './content-visit.ts'
import { noCommentsPage } from './no-comments-view.ts'
import { CommentsFormRoute, CommentsRoute, contentPaths } from './schemas.ts'

const module = { id: 'blog', component: 'ext-comments' } as const
const pageSize = 20

export const contentCommentRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = contentPages(ctx, http)
    const path = contentPaths.comments
    pages.get(path, { schema: CommentsRoute, config: read }, (member, { query }) =>
      showComments(ctx, member, query, { done: query.done }),
    )
    pages.post(path, { schema: CommentsFormRoute, config: { ...form, module } }, async (member, { body }) => {
      const { action = '', status, form_token: formToken } = body
      if (!(await member.isOwn(path, formToken)))
        return showComments(ctx, member, { status }, { problem: 'PAGE_EXPIRED' }, 400)
      const chosen = chosenIn(body)
      const problem = await moderateAll(member, chosen, action)
      if (problem) return showComments(ctx, member, { status }, { problem }, problem === 'EDIT_CONFLICT' ? 409 : 400)
      return member.go(linkWithQuery(path, { status, done: chosen.length > 0 ? 'moderated' : 'noneChosen' }))
    })
  }

interface Chosen {
  id: string
  /** The version that the page showed. */
  expected_updated_at: string
}

function chosenIn(form: Readonly<Record<string, unknown>>): Chosen[] {
  return Object.entries(form).flatMap(([name, value]) => {
    const id = /^comment_(.+)$/.exec(name)?.[1]
    return id !== undefined && looksLikeId(id) && value ? [{ id, expected_updated_at: String(value) }] : []
  })
}

/**
 * Makes one API call per comment so that each decision is checked and audited. A comment that has changed since the
 * page was loaded does not prevent the other decisions.
 */
async function moderateAll(member: AdminVisit, chosen: Chosen[], action: string): Promise<string | undefined> {
  let conflict: string | undefined
  for (const { id, expected_updated_at } of chosen.slice(0, pageSize)) {
    const moderate = call(ModerateCommentRoute, { params: { comment_id: id }, body: { action, expected_updated_at } })
    const response = await member.api(moderate)
    // The author or another moderator may have deleted the comment in the meantime.
    if (response.ok || response.rejection.code === 'NOT_FOUND') continue
    if (response.rejection.code !== 'EDIT_CONFLICT') return response.rejection.code
    conflict = response.rejection.code
  }
  return conflict
}

async function showComments(
  ctx: Context,
  member: AdminVisit,
  query: { status?: string | undefined; page?: string },
  outcome: Pick<CommentQueue, 'done' | 'problem'>,
  code = 200,
): Promise<FastifyReply> {
  const rights = contentRightsOf(ctx, member)
  if (!rights.moderates) throw new AppError('FORBIDDEN')
  if (!rights.hasComments) return member.show((shown) => noCommentsPage(member, rights, shown), 404)
  const status = commentStates.find((one) => one === query.status) ?? 'pending'
  const page = Math.max(1, Math.trunc(Number(query.page ?? 1)) || 1)
  const response = await member.api(call(ListForModeratorRoute, { query: { status, page, limit: pageSize } }))
  if (!response.ok) throw new AppError(response.status === 429 ? 'RATE_LIMITED' : 'FORBIDDEN')
  const { data: comments, meta } = response.body
  const queue: CommentQueue = {
    ...{ area: member.area, rights, status, comments, page },
    total: meta.total,
    pages: Math.max(1, meta.pages),
    posts: await postsOf(ctx, member, comments),
    formToken: member.sign(contentPaths.comments),
    now: ctx.clock.now(),
    ...outcome,
  }
  return member.show((shown) => commentsPage(queue, shown), code)
}

async function postsOf(
  ctx: Context,
  member: AdminVisit,
  comments: readonly ShownComment[],
): Promise<CommentQueue['posts']> {
  const links = linksOf(ctx.config, await ctx.postTypeProvider.load())
  const ids = [...new Set(comments.map(({ post_id }) => post_id))]
  const responses = await Promise.all(ids.map((id) => member.api(call(ReadByIdRoute, { params: { id } }))))
  const posts = responses.flatMap((response) => (response.ok ? [response.body.data] : []))
  return new Map(posts.map((post) => [post.id, { title: post.title, path: links.pathOf(post) }]))
}
