import { recordAudit } from '../audit/record.ts'
import type { Context, UserRow } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { RequestAuth } from '../http/access/auth.ts'
import { AppError } from '../lib/errors.ts'
import { sha256Bytes } from '../lib/hash.ts'
import { invalidateSessions } from '../sessions/end-sessions.ts'
import { findOwner } from '../sessions/queries.ts'
import { pathOf } from '../users/picture-address.ts'
import { lockUser, updateUser, withoutPassword } from '../users/queries.ts'
import { createIntake, type IncomingUpload, type StoredPicture } from './intake.ts'
import { markUsed } from './queries.ts'
import { releasePictures } from './release-pictures.ts'

interface Upload extends IncomingUpload {
  auth: RequestAuth
}

export interface UploadedPicture extends StoredPicture {
  user: UserRow
}

export function createUploads(ctx: Context): (upload: Upload) => Promise<UploadedPicture> {
  const take = createIntake(ctx, { maxSide: 1024, part: 'picture', withThumbnail: true })
  return (upload) => take(upload, async (stored) => ({ ...stored, user: await giveToUser(ctx, upload, stored.name) }))
}

function giveToUser(ctx: Context, { auth, device }: Upload, name: string): Promise<UserRow> {
  return transact(ctx, async (tx) => {
    const found = await lockUser(tx, auth.user.id)
    // The session may have ended during the upload.
    const owner = await findOwner(tx.db, sha256Bytes(auth.sessionToken))
    if (!found || owner !== found.id) throw new AppError('INVALID_SESSION')
    const user = withoutPassword(found)
    const now = ctx.clock.date()
    const changes = { picture: pathOf(name) }
    await releasePictures(tx, user.id)
    if (!(await markUsed(tx.db, name))) throw new AppError('UNAVAILABLE', { retryAfter: 2 })
    await updateUser(tx.db, user.id, changes, now)
    await invalidateSessions(tx, user.id)
    const details = { picture: name }
    await recordAudit(tx, { event: 'picture_changed', actor: user, target: user.id, device, details })
    return { ...user, ...changes, updated_at: now }
  })
}
