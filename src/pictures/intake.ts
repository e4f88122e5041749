import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { RequestAuth } from '../http/access/auth.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { boundedQueue } from '../lib/bounded-queue.ts'
import { concurrencyLimiter } from '../lib/concurrency-limiter.ts'
import { AppError } from '../lib/errors.ts'
import { newPictureName, thumbnailOf } from '../users/picture-address.ts'
import { createEncoder, type EncodedPicture, type EncoderOptions } from './encode.ts'
import { insertPicture } from './queries.ts'

export interface IncomingUpload {
  auth: Pick<RequestAuth, 'user'>
  device: RequestDevice
  read: () => Promise<Buffer>
}

/** A stored file that is not used yet. The cleanup job removes it if it stays unused. */
export interface StoredPicture {
  name: string
  originalSize: number
  size: number
}

/** Limits the number of uploads in memory. */
const places = boundedQueue(8, 0)
const atOnceOfAddress = 2
const limitPerUser = concurrencyLimiter()

/** An upload keeps its slot until `use` has finished. */
export function createIntake(ctx: Context, options: EncoderOptions & { withThumbnail: boolean }) {
  const encode = createEncoder(options)
  return <Result>(upload: IncomingUpload, use: (stored: StoredPicture) => Promise<Result>): Promise<Result> => {
    if (ctx.files.kind === 'off') throw new AppError('NOT_CONFIGURED')
    return withPlace(upload, async () => {
      const { bytes, encoded } = await recordingRejectedPicture(ctx, upload, async () => {
        const bytes = await upload.read()
        return { bytes, encoded: await encode(bytes) }
      })
      const { picture, thumbnail } = encoded
      const name = await store(ctx, upload.auth.user.id, options.withThumbnail ? { picture, thumbnail } : { picture })
      return use({ name, originalSize: bytes.length, size: picture.length })
    })
  }
}

const withPlace = <Result>({ auth, device }: IncomingUpload, work: () => Promise<Result>): Promise<Result> =>
  limitPerUser(1, auth.user.id, () => limitPerUser(atOnceOfAddress, device.address, () => places.run(work)))

async function recordingRejectedPicture<Result>(
  ctx: Context,
  { auth: { user }, device }: IncomingUpload,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && error.status < 500) {
      const details = { code: error.code, reason: error.details?.[0]?.message ?? error.message }
      const rejection = { event: 'upload_rejected', outcome: 'failure', actor: user, target: user.id } as const
      await recordAudit(ctx, { ...rejection, device, details })
    }
    throw error
  }
}

/** Inserts the row before writing the files so that the cleanup job finds unused files. */
async function store(
  ctx: Context,
  userId: string,
  { picture, thumbnail }: Partial<EncodedPicture> & { picture: Uint8Array },
): Promise<string> {
  const name = newPictureName()
  await insertPicture(ctx.db, name, userId, ctx.clock.date())
  try {
    if (thumbnail) await ctx.files.put(thumbnailOf(name), thumbnail, 'image/webp')
    await ctx.files.put(name, picture, 'image/webp')
  } catch (cause) {
    throw new AppError('UNAVAILABLE', { retryAfter: 5, cause })
  }
  return name
}
