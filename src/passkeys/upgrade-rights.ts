import type { Context, SessionView } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { minute } from '../lib/time.ts'
import type { ChallengeBinding } from '../webauthn/challenge.ts'
import { assertOffered } from './change-rights.ts'

export function assertUpgradesOn(ctx: Context): void {
  assertOffered(ctx)
  if (ctx.config.PASSKEY_UPGRADE === 'off') throw new AppError('NOT_CONFIGURED')
}

export const upgradeBinding = ({ user, session }: SessionView): ChallengeBinding => ({
  ceremony: 'passkey_upgrade',
  userId: user.id,
  target: `${session.id}:upgrade`,
})

const upgradeWindow = 5 * minute

/** In milliseconds since the epoch. A reauthentication is no sign-in, so it does not extend the time. */
export function upgradeEnd({ config }: Context, { session }: Pick<SessionView, 'session'>): number {
  const { REAUTH_WINDOW } = config
  return session.created_at.getTime() + (REAUTH_WINDOW === 0 ? upgradeWindow : Math.min(upgradeWindow, REAUTH_WINDOW))
}

/**
 * Why the session does not allow a passkey for which nobody has to be present. Undefined if it does: its user has just
 * entered the password, and the second factor if the account needs one. The route has rejected all other kinds of
 * sessions.
 */
export function upgradeObstacle(
  ctx: Context,
  { user, session }: Pick<SessionView, 'user' | 'session'>,
): 'passwords_disabled' | 'proof' | 'too_late' | 'unconfirmed' | undefined {
  if (!ctx.config.PASSWORDS_ENABLED) return 'passwords_disabled'
  if (session.proof !== 'password') return 'proof'
  if (ctx.clock.now() >= upgradeEnd(ctx, { session })) return 'too_late'
  return ctx.secondFactor.isRequiredOf(user) && !session.two_factor_verified ? 'unconfirmed' : undefined
}
