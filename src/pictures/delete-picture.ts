import { recordAudit } from '../audit/record.ts'
import type { Context, SessionView, UserRow } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { lockCaller } from '../sessions/authenticate.ts'
import { invalidateSessions } from '../sessions/end-sessions.ts'
import { updateUser } from '../users/queries.ts'
import { releasePictures } from './release-pictures.ts'

/** Idempotent. */
export function deletePicture(ctx: Context, view: SessionView, device: RequestDevice): Promise<UserRow> {
  return transact(ctx, async (tx) => {
    const user = await lockCaller(tx, view)
    if (user.picture === '') return user
    const now = ctx.clock.date()
    const changes = { picture: '' }
    await updateUser(tx.db, user.id, changes, now)
    await releasePictures(tx, user.id)
    await invalidateSessions(tx, user.id)
    const details = { picture: '' }
    await recordAudit(tx, { event: 'picture_changed', actor: user, target: user.id, device, details })
    return { ...user, ...changes, updated_at: now }
  })
}
