import type { Context, SessionView } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { AppError } from '../../lib/errors.ts'
import { proveIdentity } from '../../passwords/prove-identity.ts'
import type { SignInDevice } from '../../sessions/remembered-browsers.ts'
import { switchProtection } from './change-protection.ts'
import { spendGrant } from './grants.ts'
import { methodOf } from './methods/index.ts'
import { proveFactor } from './prove.ts'
import type { MethodRow } from './queries.ts'
import { activeOf, type ChosenProof, lockForFactor, userMethodsOf } from './user-methods.ts'

interface ToggleInput {
  currentPassword: string | undefined
  proof: ChosenProof
}

export async function turnOn(
  ctx: Context,
  view: SessionView,
  { currentPassword, proof }: ToggleInput,
  from: SignInDevice,
): Promise<MethodRow[]> {
  if (!view.user.two_factor || currentPassword !== undefined)
    await proveIdentity(ctx, view, { ...from, currentPassword })
  // The code is optional, but a request with an invalid code is rejected.
  if (proof.code !== undefined && !view.user.two_factor)
    await proveFactor(ctx, { view, action: 'toggle', device: from.device, proof }, async () => undefined)
  return transact(ctx, async (tx) => {
    const { user, factorRequest } = await lockForFactor(tx, { view, action: 'toggle', device: from.device })
    const rows = await userMethodsOf(tx, user.id)
    if (user.two_factor) return activeOf(rows)
    // Another request has disabled two-factor authentication in the meantime, so reauthentication is required.
    if (view.user.two_factor) throw new AppError('REAUTH_REQUIRED')
    if (activeOf(rows).length === 0) throw new AppError('TWO_FACTOR_NO_METHOD')
    await switchProtection(tx, true, factorRequest)
    return activeOf(rows)
  })
}

export async function turnOff(
  ctx: Context,
  view: SessionView,
  { currentPassword, proof }: ToggleInput,
  from: SignInDevice,
): Promise<MethodRow[]> {
  if (currentPassword !== undefined) await proveIdentity(ctx, view, { ...from, currentPassword })
  const requested = { view, action: 'toggle', device: from.device } as const
  if (proof.code !== undefined && view.user.two_factor) {
    return proveFactor(ctx, { ...requested, proof }, async (tx, { rows, factorRequest }) => {
      if (factorRequest.user.two_factor) await switchProtection(tx, false, factorRequest)
      return activeOf(rows)
    })
  }
  const active = await transact(ctx, async (tx) => {
    const { user, factorRequest } = await lockForFactor(tx, requested)
    const rows = await userMethodsOf(tx, user.id)
    if (!user.two_factor) return activeOf(rows)
    if (await spendGrant(tx, rows, factorRequest)) {
      await switchProtection(tx, false, factorRequest)
      return activeOf(rows)
    }
    const [first] = activeOf(rows)
    if (!first) throw new AppError('TWO_FACTOR_NO_METHOD')
    await methodOf(first.method).start(tx, first, factorRequest)
    // The error is thrown after the commit because a rollback would discard the code.
    return undefined
  })
  if (!active) throw new AppError('TWO_FACTOR_CODE_REQUIRED')
  return active
}
