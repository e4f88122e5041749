import type { Context } from '../context.ts'
import type { Auth } from '../http/auth.ts'
import { AppError } from '../lib/errors.ts'

/**
 * What weakens an account is not done for somebody who found a browser open: the holder of the session must have proved
 * who they are a short while ago. Throws REAUTH_REQUIRED otherwise.
 */
export function assertRecentProof({ config, clock }: Context, { session }: Pick<Auth, 'session'>): void {
  const window = config.REAUTH_WINDOW
  if (window > 0 && clock.now() - session.proved_at.getTime() > window) throw new AppError('REAUTH_REQUIRED')
}
