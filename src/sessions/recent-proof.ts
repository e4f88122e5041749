import type { Context } from '../context.ts'
import type { Auth } from '../http/access/auth.ts'
import { AppError } from '../lib/errors.ts'

/**
 * Whether the holder of the session has proved who they are a short while ago. A session of an application inherits the
 * time of a proof that was given to the browser session: it tells how old the sign-in is, and proves nothing here.
 */
export function isRecentlyProven({ config, clock }: Context, { session }: Pick<Auth, 'session'>): boolean {
  const window = config.REAUTH_WINDOW
  if (window === 0) return true
  if (session.parent_id !== null && session.proved_at <= session.created_at) return false
  return clock.now() - session.proved_at.getTime() <= window
}

/** What weakens an account is not done for somebody who found a browser open. Throws REAUTH_REQUIRED. */
export function assertRecentProof(ctx: Context, view: Pick<Auth, 'session'>): void {
  if (!isRecentlyProven(ctx, view)) throw new AppError('REAUTH_REQUIRED')
}
