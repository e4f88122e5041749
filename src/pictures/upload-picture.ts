import { recordAudit } from '../audit/record.ts'
import type { Context, UserRow } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { Auth } from '../http/auth.ts'
import type { Device } from '../http/device.ts'
import { boundedQueue } from '../lib/bounded-queue.ts'
import { AppError } from '../lib/errors.ts'
import { sha256 } from '../lib/hash.ts'
import { outdateCopies } from '../sessions/end-sessions.ts'
import { findOwner } from '../sessions/queries.ts'
import { userColumns } from '../users/columns.ts'
import { lockUser, updateUser, withoutPassword } from '../users/queries.ts'
import { createEncoder, type EncodedPicture } from './encode.ts'
import { newPictureName, pathOf, thumbnailOf } from './names.ts'
import { insertPicture, markUsed } from './queries.ts'
import { releasePictures } from './release-pictures.ts'

export interface Upload {
  auth: Auth
  device: Device
  /** Reads the file, or throws what is wrong with it. */
  read: () => Promise<Buffer>
}

export interface Uploaded {
  user: UserRow
  name: string
  originalSize: number
  size: number
}

/** Uploads whose bytes may be in memory at a time. */
const atOnce = 8
const atOnceOfAddress = 2

export function createUploads(ctx: Context): (upload: Upload) => Promise<Uploaded> {
  const encode = createEncoder()
  const places = boundedQueue(atOnce, 0)
  const busy = new Map<string, number>()

  /** Some at a time for each holder: nobody can take all places. */
  const atMost = async <Result>(most: number, holder: string, work: () => Promise<Result>): Promise<Result> => {
    const held = busy.get(holder) ?? 0
    if (held >= most) throw new AppError('UNAVAILABLE', { retryAfter: 2 })
    busy.set(holder, held + 1)
    try {
      return await work()
    } finally {
      const left = (busy.get(holder) ?? 1) - 1
      if (left > 0) busy.set(holder, left)
      else busy.delete(holder)
    }
  }
  const withPlace = <Result>({ auth, device }: Upload, work: () => Promise<Result>): Promise<Result> =>
    atMost(1, auth.user.id, () => atMost(atOnceOfAddress, device.address, () => places.run(work)))

  return (upload) => {
    if (ctx.files.kind === 'off') throw new AppError('NOT_CONFIGURED')
    return withPlace(upload, async () => {
      const { bytes, encoded } = await recordingRefusal(ctx, upload, async () => {
        const bytes = await upload.read()
        return { bytes, encoded: await encode(bytes) }
      })
      const name = await store(ctx, upload.auth.user.id, encoded)
      const user = await giveToUser(ctx, upload, name)
      return { user, name, originalSize: bytes.length, size: encoded.picture.length }
    })
  }
}

async function recordingRefusal<Result>(
  ctx: Context,
  { auth: { user }, device }: Upload,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && error.status < 500) {
      const details = { code: error.code, reason: error.details?.[0]?.message ?? error.message }
      const refusal = { event: 'upload_rejected', outcome: 'failure', actor: user, target: user.id } as const
      await recordAudit(ctx, ctx.db, { ...refusal, device, details })
    }
    throw error
  }
}

/** The row comes before the files: what is written and then not used, for whatever reason, the janitor knows of. */
async function store(ctx: Context, userId: string, { picture, thumbnail }: EncodedPicture): Promise<string> {
  const name = newPictureName()
  await insertPicture(ctx.db, name, userId, new Date(ctx.clock.now()))
  try {
    await ctx.files.put(thumbnailOf(name), thumbnail, 'image/webp')
    await ctx.files.put(name, picture, 'image/webp')
  } catch (cause) {
    throw new AppError('UNAVAILABLE', { retryAfter: 5, cause })
  }
  return name
}

function giveToUser(ctx: Context, { auth, device }: Upload, name: string): Promise<UserRow> {
  return transact(ctx.db, async (change) => {
    const found = await lockUser(change.db, userColumns(ctx.modules), auth.user.id)
    // The file took its time: whoever was signed out meanwhile changes nothing any more.
    const owner = await findOwner(change.db, sha256(auth.bearer))
    if (!found || owner !== found.id) throw new AppError('INVALID_SESSION')
    const user = withoutPassword(found)
    const now = new Date(ctx.clock.now())
    const changes = { picture: pathOf(name) }
    await releasePictures(ctx, change, user.id)
    if (!(await markUsed(change.db, name))) throw new AppError('UNAVAILABLE', { retryAfter: 2 })
    await updateUser(change.db, user.id, changes, now)
    await outdateCopies(ctx, change, user.id)
    const details = { picture: name }
    await recordAudit(ctx, change.db, { event: 'picture_changed', actor: user, target: user.id, device, details })
    return { ...user, ...changes, updated_at: now }
  })
}
