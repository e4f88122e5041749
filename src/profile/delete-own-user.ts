import { recordAudit } from '../audit/record.ts'
import type { Context, SessionView } from '../context.ts'
import { transact } from '../db/transact.ts'
import { AppError } from '../lib/errors.ts'
import { proveIdentity } from '../passwords/prove-identity.ts'
import { lockCaller } from '../sessions/authenticate.ts'
import type { SignInDevice } from '../sessions/remembered-browsers.ts'
import { isLastSuperadmin } from '../sign-in-methods/last-superadmin.ts'
import { softDeleteUser } from './delete-user.ts'

interface OwnDeletion extends SignInDevice {
  currentPassword: string | undefined
  reason: string | undefined
}

/**
 * Throws LAST_SUPERADMIN if no other superadmin would remain. Returns the time until which the user can be restored.
 */
export async function deleteOwnUser(
  ctx: Context,
  view: SessionView,
  { currentPassword, reason, ...from }: OwnDeletion,
): Promise<Date> {
  const { device } = from
  await proveIdentity(ctx, view, { ...from, currentPassword })
  const until = await transact(ctx, async (tx) => {
    const user = await lockCaller(tx, view)
    if (user.user_type === 'superadmin' && (await isLastSuperadmin(tx, user.id))) return undefined
    return softDeleteUser(tx, user, { actor: user, device, reason })
  })
  if (until) return until
  const details = { deed: 'delete', code: 'LAST_SUPERADMIN' }
  await recordAudit(ctx, {
    event: 'authz_denied',
    outcome: 'failure',
    actor: view.user,
    target: view.user.id,
    device,
    details,
  })
  throw new AppError('LAST_SUPERADMIN')
}
