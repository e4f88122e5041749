import type { Context } from '../../context.ts'
import { staffWith } from '../../http/access/access.ts'
import { envelope } from '../../http/responses/envelope.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { type PostReader, writers } from './access.ts'
import { writerOf } from './change-post.ts'
import { createPost } from './create-post.ts'
import { deletePost, publishPost, restorePost, schedulePost, unpublishPost } from './move-post.ts'
import * as moves from './move-schemas.ts'
import { base, postPaths } from './names.ts'
import * as posts from './post-schemas.ts'
import { previewPost } from './preview-post.ts'
import type { FullPost } from './queries.ts'
import { readExpected } from './read-members.ts'
import { collectRemoved, type RenderFor } from './render.ts'
import { extrasOf, shownMove, shownPost } from './shapes.ts'
import { effectiveState } from './states.ts'
import { updatePostOf } from './update-post.ts'

const module = 'blog'
const uncached = { cached: false as const }

export const postRoutes =
  (ctx: Context, renderFor: RenderFor): DeclareRoutes =>
  (http) => {
    const write = { access: writers(ctx.config), limit: 'write', module } as const
    const large = { ...write, largeBody: true } as const
    const admin = { access: staffWith('blog:manage'), limit: 'admin', module } as const
    /** Older clients send the body as an object without naming its format. */
    const withFormat = <Input extends Partial<Pick<posts.PreviewPostBody, 'body' | 'body_format'>>>(input: Input) => {
      const isObject = typeof input.body === 'object' && input.body !== null
      const isNamed = input.body_format !== undefined
      return ctx.config.CLIENT_COMPAT && isObject && !isNamed ? { ...input, body_format: 'json' as const } : input
    }

    http.post(base, { schema: posts.CreatePostRoute, config: large }, async (request) => {
      const { user } = request.auth
      const { render, meta } = collectRemoved(renderFor(user.id))
      const post = await createPost(ctx, render, writerOf(request), withFormat(request.body))
      return envelope(request, await wholePost(ctx, post, user), { ...uncached, ...meta() })
    })
    http.post(`${base}/preview`, { schema: posts.PreviewPostRoute, config: large }, async (request) => {
      const { render, meta } = collectRemoved(renderFor(request.auth.user.id))
      const data = await previewPost(render, withFormat(request.body))
      return envelope(request, data, { ...uncached, ...meta() })
    })
    for (const path of postPaths) {
      http.put(path, { schema: posts.UpdatePostRoute, config: large }, async (request) => {
        const { auth, params, body } = request
        const { user } = auth
        const { render, meta } = collectRemoved(renderFor(user.id))
        const post = await updatePostOf(ctx, render, writerOf(request), { id: params.id, input: withFormat(body) })
        return envelope(request, { ...(await wholePost(ctx, post, user)), updated: true as const }, meta())
      })
      http.delete(path, { schema: posts.DeletePostRoute, config: write }, async (request) => {
        const { id } = request.params
        await deletePost(ctx, writerOf(request), id, request.query.force ? 'force' : 'trash')
        return envelope(request, { id, deleted: true as const }, {})
      })
      http.post(`${path}/publish`, { schema: moves.PublishPostRoute, config: write }, async (request) => {
        const { id } = request.params
        const expected = readExpected(request.body.expected_updated_at)
        return envelope(request, shownMove(id, await publishPost(ctx, writerOf(request), id, expected)), {})
      })
      http.post(`${path}/unpublish`, { schema: moves.UnpublishPostRoute, config: write }, async (request) => {
        const { id } = request.params
        return envelope(request, shownMove(id, await unpublishPost(ctx, writerOf(request), id)), {})
      })
      http.post(`${path}/schedule`, { schema: moves.SchedulePostRoute, config: write }, async (request) => {
        const { id } = request.params
        const { scheduled_at: at, expected_updated_at } = request.body
        const expected = readExpected(expected_updated_at)
        return envelope(request, shownMove(id, await schedulePost(ctx, writerOf(request), id, { at, expected })), {})
      })
      http.post(`${path}/restore`, { schema: moves.RestorePostRoute, config: admin }, async (request) => {
        const { id } = request.params
        await restorePost(ctx, writerOf(request), id)
        return envelope(request, { id, restored: true as const, status: 'draft' as const }, {})
      })
    }
  }

const wholePost = async (ctx: Context, post: FullPost, reader: PostReader) => ({
  ...shownPost(ctx, await ctx.postTypeProvider.loadFresh(ctx.db), effectiveState(post, ctx.clock.date())),
  ...(await extrasOf(ctx, post.id, reader)),
})
