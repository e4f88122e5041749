import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { admins, visitor, writers } from '../../http/access.ts'
import type { Routes } from '../../http/create-server.ts'
import { envelope } from '../../http/envelope.ts'
import { createPost } from './create-post.ts'
import { extrasOf } from './extras.ts'
import { deletePost, publishPost, restorePost, schedulePost, unpublishPost } from './move-post.ts'
import { base, postPaths } from './paths.ts'
import { readPost } from './read-post.ts'
import { readingFrom } from './reading-from.ts'
import type { Render } from './render.ts'
import * as schemas from './schemas.ts'
import { shownMove, shownPost } from './shapes.ts'
import { updatePostOf } from './update-post.ts'
import { writerOf } from './writer-of.ts'

const module = 'blog'
const uncached = { cached: false as const }

export const postRoutes =
  (ctx: Context, render: Render): Routes =>
  (http) => {
    const read = { access: visitor, limit: 'read', module } as const
    const write = { access: writers(ctx.config), limit: 'write', module } as const
    const large = { ...write, largeBody: true } as const
    const admin = { access: admins, limit: 'admin', module } as const

    const postReply = async (request: FastifyRequest, name: string, lang: string | undefined) => {
      const { post, types, fallbackLang } = await readPost(ctx, name, readingFrom(request, lang))
      const meta = { ...uncached, ...(fallbackLang !== undefined && { fallback_lang: fallbackLang }) }
      const extras = await extrasOf(ctx, post.id, request.auth?.user)
      return envelope(request, { ...shownPost(ctx, types, post), ...extras }, meta)
    }
    http.get(`${base}/:slug`, { schema: schemas.ReadBySlugRoute, config: read }, (request) =>
      postReply(request, request.params.slug, request.query.lang),
    )
    http.get(`${base}/id/:id`, { schema: schemas.ReadByIdRoute, config: read }, (request) =>
      postReply(request, request.params.id, request.query.lang),
    )
    http.post(base, { schema: schemas.CreatePostRoute, config: large }, async (request) =>
      envelope(request, await createPost(ctx, render, writerOf(request), request.body), uncached),
    )
    for (const path of postPaths) {
      http.put(path, { schema: schemas.UpdatePostRoute, config: large }, async (request) => {
        const { id } = request.params
        await updatePostOf(ctx, render, writerOf(request), id, request.body)
        return envelope(request, { id, updated: true as const }, {})
      })
      http.delete(path, { schema: schemas.DeletePostRoute, config: write }, async (request) => {
        const { id } = request.params
        await deletePost(ctx, writerOf(request), id, request.query.force ? 'force' : 'trash')
        return envelope(request, { id, deleted: true as const }, {})
      })
      http.post(`${path}/publish`, { schema: schemas.PublishPostRoute, config: write }, async (request) => {
        const { id } = request.params
        return envelope(request, shownMove(id, await publishPost(ctx, writerOf(request), id)), {})
      })
      http.post(`${path}/unpublish`, { schema: schemas.UnpublishPostRoute, config: write }, async (request) => {
        const { id } = request.params
        return envelope(request, shownMove(id, await unpublishPost(ctx, writerOf(request), id)), {})
      })
      http.post(`${path}/schedule`, { schema: schemas.SchedulePostRoute, config: write }, async (request) => {
        const { id } = request.params
        const at = request.body.scheduled_at
        return envelope(request, shownMove(id, await schedulePost(ctx, writerOf(request), id, at)), {})
      })
      http.post(`${path}/restore`, { schema: schemas.RestorePostRoute, config: admin }, async (request) => {
        const { id } = request.params
        await restorePost(ctx, writerOf(request), id)
        return envelope(request, { id, restored: true as const, status: 'draft' as const }, {})
      })
    }
  }
