import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { isRightPassword } from '../hooks/password-verify.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import type { SignInDevice } from '../sessions/remembered-browsers.ts'
import { chargeAccount } from '../users/account-throttle.ts'
import type { UserWithPassword } from '../users/queries.ts'
import { isOverlong, normalPassword } from './policy.ts'

/** Failures count as failed sign-ins so that an unattended browser does not allow unlimited attempts. */
export async function assertCurrentPassword(
  ctx: Context,
  user: UserWithPassword,
  input: string | undefined,
  { device, isKnown }: SignInDevice,
  field = 'current_password',
): Promise<void> {
  if (input === undefined) throw invalidField(field, 'is required')
  const password = normalPassword(input)
  if (isOverlong(password)) throw invalidField(field, 'must have at most 256 characters')
  const throttle = await chargeAccount(ctx, user, user.email, isKnown(user), device)
  const matches = await isRightPassword(ctx, user, password).catch(async (error) => {
    await throttle.refund()
    throw error
  })
  if (matches) return throttle.giveBack()
  const limit = await throttle.keep()
  await recordAudit(ctx, { event: 'reauth_fail', outcome: 'failure', actor: user, target: user.id, device })
  throw new AppError('INVALID_CURRENT_PASSWORD', { limit })
}
