import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { signedIn, visitor } from '../../../http/access/access.ts'
import { envelope } from '../../../http/responses/envelope.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { listMetaOf } from '../../../lib/paging.ts'
import { moderators } from '../access.ts'
import { writerOf } from '../change-post.ts'
import { base, postPaths } from '../names.ts'
import { readInputFrom } from '../read-post.ts'
import { addComment } from './add-comment.ts'
import { changeComment, deleteComment, moderateComment } from './change-comment.ts'
import { type CommentList, listCommentsOf, listForModerator } from './list-comments.ts'
import { parseModeration } from './read-verdict.ts'
import * as schemas from './schemas.ts'
import { commentResponse } from './shapes.ts'

const module = { id: 'blog', component: 'ext-comments' }

export const commentRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const read = { access: visitor, limit: 'read', whileImpersonating: 'allowed', module } as const
    const comment = { access: signedIn, limit: 'comment', module } as const
    const write = { access: signedIn, limit: 'write', module } as const
    const moderate = { access: moderators(ctx.config), limit: 'write', module } as const
    const list = { ...moderate, limit: 'read' } as const

    const listResponse = (request: FastifyRequest, { comments, pagination }: CommentList) => {
      const shown = comments.map((one) => commentResponse(ctx.config, one, request.auth?.user))
      return envelope(request, shown, listMetaOf(pagination))
    }
    http.get(`${base}/comments`, { schema: schemas.ListForModeratorRoute, config: list }, async (request) =>
      listResponse(request, await listForModerator(ctx, request.auth.user, request.query)),
    )
    for (const path of postPaths) {
      const all = `${path}/comments` as const
      http.get(all, { schema: schemas.ListCommentsRoute, config: read }, async (request) =>
        listResponse(request, await listCommentsOf(ctx, readInputFrom(request), request.params.id, request.query)),
      )
      http.post(all, { schema: schemas.AddCommentRoute, config: comment }, async (request) => {
        const { params, body, auth } = request
        const added = await addComment(ctx, writerOf(request), readInputFrom(request), { ...body, postId: params.id })
        return envelope(request, commentResponse(ctx.config, added, auth.user), {})
      })
    }
    const one = `${base}/comments/:comment_id` as const
    http.put(one, { schema: schemas.ChangeCommentRoute, config: comment }, async (request) => {
      const id = request.params.comment_id
      const { comment_body } = request.body
      const status = await changeComment(ctx, writerOf(request), readInputFrom(request), { id, comment_body })
      return envelope(request, { id, updated: true as const, status }, {})
    })
    http.delete(one, { schema: schemas.DeleteCommentRoute, config: write }, async (request) => {
      const id = request.params.comment_id
      await deleteComment(ctx, writerOf(request), readInputFrom(request), id)
      return envelope(request, { id, deleted: true as const }, {})
    })
    http.post(`${one}/moderate`, { schema: schemas.ModerateCommentRoute, config: moderate }, async (request) => {
      const id = request.params.comment_id
      const verdict = parseModeration(request.body)
      await moderateComment(ctx, writerOf(request), id, verdict)
      return envelope(request, { id, status: verdict.status }, {})
    })
  }
