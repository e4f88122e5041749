import type { Config } from '../config/load.ts'
import { isStaffType } from '../config/user-types.ts'
import type { Context, SessionRow, SessionView, SignInProof } from '../context.ts'
import type { RequestAuth } from '../http/access/auth.ts'
import { AppError } from '../lib/errors.ts'
import { iso } from '../lib/time.ts'
import { hasConfirmation } from './columns.ts'

type Lifetimes = Pick<
  Config,
  | 'SESSION_IDLE_TTL'
  | 'SESSION_ABSOLUTE_TTL'
  | 'ADMIN_SESSION_IDLE_TTL'
  | 'ADMIN_SESSION_ABSOLUTE_TTL'
  | 'PARTIAL_SESSION_TTL'
  | 'USER_TYPES'
>
type Times = Pick<SessionRow, 'status' | 'created_at' | 'started_at' | 'last_used_at' | 'ends_at'>

export function lifetimesOf(config: Lifetimes, userType: string): { idle: number; absolute: number } {
  return isStaffType(config, userType)
    ? { idle: config.ADMIN_SESSION_IDLE_TTL, absolute: config.ADMIN_SESSION_ABSOLUTE_TTL }
    : { idle: config.SESSION_IDLE_TTL, absolute: config.SESSION_ABSOLUTE_TTL }
}

export function absoluteEnd(config: Lifetimes, session: Times, userType: string): number {
  if (session.status === 'pending') return session.created_at.getTime() + config.PARTIAL_SESSION_TTL
  const end = session.started_at.getTime() + lifetimesOf(config, userType).absolute
  return session.ends_at ? Math.min(end, session.ends_at.getTime()) : end
}

/** Returns the idle expiry or the absolute expiry, whichever is earlier. Using a partial session never extends it. */
export function expiryOf(config: Lifetimes, session: Times, userType: string): number {
  const end = absoluteEnd(config, session, userType)
  if (session.status === 'pending') return end
  return Math.min(end, session.last_used_at.getTime() + lifetimesOf(config, userType).idle)
}

type SessionState = 'live' | 'expired' | 'ended'

export function stateOf(config: Lifetimes, session: Times, userType: string, now: number): SessionState {
  if (session.status === 'expired') return 'expired'
  if (session.status === 'revoked') return 'ended'
  return now < expiryOf(config, session, userType) ? 'live' : 'expired'
}

/**
 * RFC 8176 defines no method for identity providers. Passkeys are reported as `swk`, because without attestation their
 * keys may be stored in software.
 */
const methodsOfProof: Record<SignInProof, readonly string[]> = {
  password: ['pwd'],
  registration: ['pwd'],
  login_token: ['otp'],
  reset: ['otp'],
  setup: ['otp'],
  recovery: ['otp'],
  social: [],
  passkey: ['swk'],
  impersonation: [],
}

export const authenticationOf = ({ session }: Pick<SessionView, 'session'>) => ({
  authenticated_at: iso(session.proved_at),
  methods: [...methodsOfProof[session.proof], ...(hasConfirmation(session) ? ['mfa'] : [])],
})

/** Whether the session was created by a sign-in, not by a handover to an application. */
export const isBrowserSession = ({ parent_id }: Pick<SessionView['session'], 'parent_id'>): boolean =>
  parent_id === null

/** Authentication that an application session inherits from the browser session does not count as recent. */
export function isRecentlyProven({ config, clock }: Context, { session }: Pick<RequestAuth, 'session'>): boolean {
  if (session.impersonated_by !== null) return false
  const window = config.REAUTH_WINDOW
  if (window === 0) return true
  if (session.parent_id !== null && session.proved_at <= session.created_at) return false
  return clock.now() - session.proved_at.getTime() <= window
}

/** Throws REAUTH_REQUIRED if the authentication is not recent. Protects users who leave a browser unattended. */
export function assertRecentProof(ctx: Context, view: Pick<RequestAuth, 'session'>): void {
  if (!isRecentlyProven(ctx, view)) throw new AppError('REAUTH_REQUIRED')
}
