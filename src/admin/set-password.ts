import { recordAudit } from '../audit/record.ts'
import type { Context, UserRow } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { Device } from '../http/device.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { looksLikeId } from '../lib/ids.ts'
import { enqueueMail } from '../outbox/enqueue.ts'
import { assertGoodPassword, normalPassword } from '../passwords/policy.ts'
import { setPassword } from '../passwords/set-password.ts'
import { liftLock } from '../users/account-throttle.ts'
import { userColumns } from '../users/columns.ts'
import { findUser, lockUser, lockUsers } from '../users/queries.ts'

interface ForcedPassword {
  actor: UserRow
  targetId: string
  password: string
  /** Whether the user hears of it by mail. */
  notify: boolean
  device: Device
}

/** An admin gives somebody else a new password. All their sessions end, and a lock is lifted. */
export async function setUserPassword(ctx: Context, forced: ForcedPassword): Promise<void> {
  const { actor, targetId, device } = forced
  if (targetId === actor.id) throw invalidField('user_id', 'must not be your own: change yours with the current one')
  const columns = userColumns(ctx.modules)
  const known = looksLikeId(targetId) ? await findUser(ctx.db, columns, targetId) : undefined
  if (!known) throw new AppError('NOT_FOUND')
  if (!mayReset(actor, known)) throw await denied(ctx, forced)
  const password = normalPassword(forced.password)
  await assertGoodPassword(ctx, 'new_password', password, known)
  const hash = await ctx.passwords.hash(password)
  const isDone = await transact(ctx.db, async (change) => {
    // Both as they are now: either may have been given another role meanwhile.
    await lockUsers(change.db, [actor.id, targetId])
    const [present, target] = [
      await findUser(change.db, columns, actor.id),
      await lockUser(change.db, columns, targetId),
    ]
    if (!target) throw new AppError('NOT_FOUND')
    if (!present || !isAdmin(present) || !mayReset(present, target)) return false
    await setPassword(ctx, change, target.id, { hash, reason: 'admin_password_set', actor: present, device })
    await liftLock(ctx, change.db, target.id)
    await recordAudit(ctx, change.db, { event: 'admin_password_set', actor: present, target: target.id, device })
    if (!forced.notify) return true
    const variables = { name: target.name, changed: 'password' }
    await enqueueMail(ctx, change, { message: 'admin_changed_account', to: target.email, lang: target.lang, variables })
    return true
  })
  if (!isDone) throw await denied(ctx, forced)
}

const isAdmin = ({ user_type }: UserRow): boolean => user_type === 'admin' || user_type === 'superadmin'

/** Never upward in rank. */
const mayReset = (actor: Pick<UserRow, 'user_type'>, target: Pick<UserRow, 'user_type'>): boolean =>
  target.user_type !== 'superadmin' || actor.user_type === 'superadmin'

async function denied(ctx: Context, { actor, targetId, device }: ForcedPassword): Promise<AppError> {
  const details = { reason: 'password of a superadmin' }
  await recordAudit(ctx, ctx.db, {
    event: 'authz_denied',
    outcome: 'failure',
    actor,
    target: targetId,
    device,
    details,
  })
  return new AppError('FORBIDDEN')
}
