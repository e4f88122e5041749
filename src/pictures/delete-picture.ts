import { recordAudit } from '../audit/record.ts'
import type { Context, SessionView, UserRow } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { Device } from '../http/device.ts'
import { AppError } from '../lib/errors.ts'
import { outdateCopies } from '../sessions/end-sessions.ts'
import { isLive } from '../sessions/queries.ts'
import { userColumns } from '../users/columns.ts'
import { lockUser, updateUser, withoutPassword } from '../users/queries.ts'
import { releasePictures } from './release-pictures.ts'

/** Whatever the picture was, the user has none afterwards. */
export function deletePicture(
  ctx: Context,
  { user: { id: userId }, session }: SessionView,
  device: Device,
): Promise<UserRow> {
  return transact(ctx.db, async (change) => {
    const found = await lockUser(change.db, userColumns(ctx.modules), userId)
    if (!found || !(await isLive(change.db, session.id))) throw new AppError('INVALID_SESSION')
    const user = withoutPassword(found)
    if (user.picture === '') return user
    const now = new Date(ctx.clock.now())
    const changes = { picture: '' }
    await updateUser(change.db, user.id, changes, now)
    await releasePictures(ctx, change, user.id)
    await outdateCopies(ctx, change, user.id)
    const details = { picture: '' }
    await recordAudit(ctx, change.db, { event: 'picture_changed', actor: user, target: user.id, device, details })
    return { ...user, ...changes, updated_at: now }
  })
}
