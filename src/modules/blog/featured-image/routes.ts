import type { Context } from '../../../context.ts'
import { readUpload } from '../../../http/parsing/upload.ts'
import { envelope } from '../../../http/responses/envelope.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { pictureAddress } from '../../../users/picture-address.ts'
import { writers } from '../access.ts'
import { writerOf } from '../change-post.ts'
import { postPaths } from '../names.ts'
import { DeleteImageRoute, UploadImageRoute } from './schemas.ts'
import { aliases, createImageUploads, part, removeImage } from './set-image.ts'

export const featuredImageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const write = { access: writers(ctx.config), limit: 'write', module: 'blog' } as const
    const upload = createImageUploads(ctx)
    for (const path of postPaths) routesOf(`${path}/featured-image`)

    function routesOf(path: `${(typeof postPaths)[number]}/featured-image`): void {
      http.post(path, { schema: UploadImageRoute, config: { ...write, upload: part } }, async (request) => {
        const { id } = request.params
        const read = () => readUpload(request, part, ctx.config.UPLOAD_MAX_BYTES, aliases)
        const image = await upload(writerOf(request), id, read)
        return envelope(request, { id, featured_image: pictureAddress(ctx.config, image) }, {})
      })
      http.delete(path, { schema: DeleteImageRoute, config: write }, async (request) => {
        const { id } = request.params
        await removeImage(ctx, writerOf(request), id)
        return envelope(request, { id, featured_image: null }, {})
      })
    }
  }
