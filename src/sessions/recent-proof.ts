import type { Context } from '../context.ts'
import type { RequestAuth } from '../http/access/auth.ts'
import { AppError } from '../lib/errors.ts'

/** The authentication that an application inherits from the browser session does not count as recent. */
export function isRecentlyProven({ config, clock }: Context, { session }: Pick<RequestAuth, 'session'>): boolean {
  const window = config.REAUTH_WINDOW
  if (window === 0) return true
  if (session.parent_id !== null && session.proved_at <= session.created_at) return false
  return clock.now() - session.proved_at.getTime() <= window
}

/** Throws REAUTH_REQUIRED. This protects users who leave a browser open and unattended. */
export function assertRecentProof(ctx: Context, view: Pick<RequestAuth, 'session'>): void {
  if (!isRecentlyProven(ctx, view)) throw new AppError('REAUTH_REQUIRED')
}
