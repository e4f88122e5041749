import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { assertGoodPassword, normalPassword } from '../passwords/policy.ts'
import { setPassword } from '../passwords/set-password.ts'
import { liftLock } from '../users/account-throttle.ts'
import { type AdminRequest, type LockedTarget, withLockedTarget } from './locked-target.ts'
import { mailAdminChanges } from './mail-admin-changes.ts'

type ForcedPassword = AdminRequest & {
  password: string
  notify: boolean
}

export async function setUserPassword(ctx: Context, forced: ForcedPassword): Promise<void> {
  const { device } = forced
  if (forced.targetId === forced.actor.id)
    throw invalidField('user_id', 'must not be your own: use POST /auth/password-change/self')
  // Permissions are checked both before and after the expensive hashing because roles may change in the meantime.
  const owner = await withLockedTarget(ctx, forced, allowedTarget)
  const password = normalPassword(forced.password)
  await assertGoodPassword(ctx, 'new_password', password, owner)
  const hash = await ctx.passwords.hash(password)
  await withLockedTarget(ctx, forced, async (locked) => {
    const { tx, actor } = locked
    const target = await allowedTarget(locked)
    const passkeys = await setPassword(tx, target.id, { hash, reason: 'admin_password_set', actor, device })
    await liftLock(tx, target.id)
    await recordAudit(tx, { event: 'admin_password_set', actor, target: target.id, device })
    if (!forced.notify) return
    await mailAdminChanges(tx, target, passkeys.length > 0 ? ['password', 'passkeys'] : ['password'])
  })
}

async function allowedTarget({ target, allow }: LockedTarget): Promise<LockedTarget['target']> {
  if (target.deleted_at) throw new AppError('NOT_FOUND')
  await allow('set_password')
  return target
}
