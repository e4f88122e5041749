import type { Context } from '../../../../context.ts'
import { isOwnForm } from '../../../../http/access/origins.ts'
import { fileOf, readParts } from '../../../../http/parsing/upload.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { boundedQueue } from '../../../../lib/bounded-queue.ts'
import { concurrencyLimiter } from '../../../../lib/concurrency-limiter.ts'
import { AppError } from '../../../../lib/errors.ts'
import type { AdminVisit } from '../../../../ui/console/admin-visit.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { DeleteImageRoute, UploadImageRoute } from '../../featured-image/schemas.ts'
import { part } from '../../featured-image/set-image.ts'
import { linkWithQuery } from '../reading/links.ts'
import { contentPages, form } from './content-visit.ts'
import { contentPaths, PostPictureFormRoute, postPath, RemovePostPictureFormRoute } from './schemas.ts'
import { loadEditedPost, showEditor } from './show-editor.ts'

/** Limits the number of uploads held in memory at the same time, in addition to the API's limit. */
const places = boundedQueue(4, 0)
const limitPerUser = concurrencyLimiter()

export const postPictureRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    if (ctx.files.kind === 'off') return
    const pages = contentPages(ctx, http)
    const upload = { ...form, upload: part } as const
    pages.post(contentPaths.picture, { schema: PostPictureFormRoute, config: upload }, async (member, request) => {
      const { id } = request.params
      // Checked before the upload takes a slot because a form on another site could otherwise occupy the slot.
      if (!isOwnForm(request.headers, ctx.config)) return reject(member, id, 'PAGE_EXPIRED', 400)
      const store = async () => {
        const parts = await readParts(request, ctx.config.UPLOAD_MAX_BYTES)
        const action = contentPaths.picture.replace(':id', id)
        if (!(await member.isOwn(action, parts('form_token').toString()))) throw new AppError('FORBIDDEN')
        const file = { part, bytes: fileOf(parts, part, ctx.config.UPLOAD_MAX_BYTES) }
        return member.api(call(UploadImageRoute, { params: { id }, file }))
      }
      const response = await limitPerUser(1, member.profile.user.id, () => places.run(store)).catch(rejectionOf)
      if (!response.ok) return reject(member, id, response.rejection.code, response.status)
      return member.go(linkWithQuery(postPath(id), { done: 'picture' }))
    })
    const remove = { schema: RemovePostPictureFormRoute, config: form }
    pages.post(contentPaths.removePicture, remove, async (member, { params: { id }, body }) => {
      const action = contentPaths.removePicture.replace(':id', id)
      const response = await member.submit(action, body.form_token, call(DeleteImageRoute, { params: { id } }))
      if (!response.ok) return reject(member, id, response.rejection.code, response.status)
      return member.go(linkWithQuery(postPath(id), { done: 'noPicture' }))
    })

    async function reject(member: AdminVisit, id: string, code: string, status: number) {
      return showEditor(ctx, member, { ...(await loadEditedPost(ctx, member, id)), rejection: { code } }, status)
    }
  }

function rejectionOf(error: unknown) {
  if (!(error instanceof AppError) || error.status >= 500) throw error
  return { ok: false, status: error.status, rejection: { code: error.code } } as const
}
