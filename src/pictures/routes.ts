import type { Context } from '../context.ts'
import { anyone, signedIn } from '../http/access/access.ts'
import { deviceOf } from '../http/access/device.ts'
import { readUpload } from '../http/parsing/upload.ts'
import { pictureHeaders } from '../http/responses/response-headers.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { AppError } from '../lib/errors.ts'
import { iso } from '../lib/time.ts'
import { looksLikePictureFile, nameOfFile, pathOf, pictureAddress, thumbnailOf } from '../users/picture-address.ts'
import { loginUserWithModules } from '../users/shapes.ts'
import { deletePicture } from './delete-picture.ts'
import { isWithdrawn } from './queries.ts'
import { DeletePictureRoute, PictureRoute, UploadPictureRoute } from './schemas.ts'
import { createUploads, type UploadedPicture } from './upload-picture.ts'

const path = '/auth/upload/picture'
const part = 'picture'

export const pictureRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const upload = createUploads(ctx)
    const config = { access: signedIn, limit: 'write' } as const

    http.post(path, { schema: UploadPictureRoute, config: { ...config, upload: part } }, async (request) => {
      const read = () => readUpload(request, part, ctx.config.UPLOAD_MAX_BYTES)
      return uploadResponse(ctx, await upload({ auth: request.auth, device: deviceOf(request), read }))
    })

    http.delete(path, { schema: DeletePictureRoute, config }, async (request) => {
      const user = loginUserWithModules(ctx, await deletePicture(ctx, request.auth, deviceOf(request)))
      return { success: true as const, message: 'Picture deleted', data: { ...user, user } }
    })

    http.get(
      '/auth/pictures/:file',
      { schema: PictureRoute, config: { access: anyone, limit: 'read' } },
      async (request, reply) => {
        const { file } = request.params
        const bytes = await findPicture(ctx, file)
        if (!bytes) throw new AppError('NOT_FOUND')
        pictureHeaders(reply, file)
        return reply.send(bytes)
      },
    )
  }

function uploadResponse(ctx: Context, { user: row, name, size, originalSize }: UploadedPicture) {
  const user = loginUserWithModules(ctx, row)
  const data = {
    picture_url: user.picture,
    thumbnail_url: pictureAddress(ctx.config, pathOf(thumbnailOf(name))),
    file_size: size,
    original_size: originalSize,
    compression_ratio: `${Math.max(0, Math.round((1 - size / originalSize) * 100))}%`,
    method: ctx.files.kind === 's3' ? ('s3' as const) : ('local' as const),
    user,
  }
  return { success: true as const, message: 'Picture uploaded', timestamp: iso(ctx.clock.now()), user, data }
}

/**
 * Returns undefined for unknown names, for replaced pictures, and for deleted users, whose files remain until erasure.
 */
async function findPicture(ctx: Context, file: string): Promise<Buffer | undefined> {
  if (!looksLikePictureFile(file)) return undefined
  if (await isWithdrawn(ctx.db, nameOfFile(file))) return undefined
  try {
    const bytes = await ctx.files.get(file)
    return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  } catch (cause) {
    throw new AppError('UNAVAILABLE', { retryAfter: 5, cause })
  }
}
