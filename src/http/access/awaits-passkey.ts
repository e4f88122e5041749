import type { Config } from '../../config/load.ts'
import { isListed } from '../../config/user-types.ts'
import type { SecondFactor } from '../../context.ts'
import type { RequestAuth } from './auth.ts'

/** Whether users of this type must sign in with a passkey. */
export const requiresPasskey = (
  config: Pick<Config, 'PASSKEY_REQUIRED_FOR' | 'USER_TYPES'>,
  { user_type }: { user_type: string },
): boolean => isListed(config, config.PASSKEY_REQUIRED_FOR, user_type)

/**
 * Whether the session is a partial session in which the user can only add a passkey, which completes it: that of a
 * recovery, or of a user who must have a passkey. If the user also needs a second factor, it must be confirmed first.
 */
export function awaitsPasskey(
  { config, secondFactor }: { config: Config; secondFactor: Pick<SecondFactor, 'isRequiredOf'> },
  { session, user }: Pick<RequestAuth, 'session' | 'user'>,
): boolean {
  if (session.status !== 'pending') return false
  if (session.proof === 'recovery') return true
  return requiresPasskey(config, user) && (session.two_factor_verified || !secondFactor.isRequiredOf(user))
}
