import type { Context, SessionView } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { AppError } from '../../lib/errors.ts'
import { proveIdentity } from '../../passwords/prove-identity.ts'
import type { SignInDevice } from '../../sessions/remembered-browsers.ts'
import { renewRecoveryCodes } from './change-protection.ts'
import { activeOf, assertConfirmed, lockForFactor, userMethodsOf } from './user-methods.ts'

export async function regenerateRecoveryCodes(
  ctx: Context,
  view: SessionView,
  currentPassword: string | undefined,
  from: SignInDevice,
): Promise<string[]> {
  await proveIdentity(ctx, view, { ...from, currentPassword })
  return transact(ctx, async (tx) => {
    const { user, factorRequest } = await lockForFactor(tx, { view, action: 'setup', device: from.device })
    const rows = await userMethodsOf(tx, user.id)
    if (activeOf(rows).length === 0) throw new AppError('TWO_FACTOR_NO_METHOD')
    assertConfirmed(ctx, rows, factorRequest)
    return renewRecoveryCodes(tx, factorRequest)
  })
}
