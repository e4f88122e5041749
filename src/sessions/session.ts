import type { Config } from '../config/load.ts'
import type { SessionRow } from '../context.ts'
import { isAdmin } from '../users/is-admin.ts'

type Lifetimes = Pick<
  Config,
  | 'SESSION_IDLE_TTL'
  | 'SESSION_ABSOLUTE_TTL'
  | 'ADMIN_SESSION_IDLE_TTL'
  | 'ADMIN_SESSION_ABSOLUTE_TTL'
  | 'PARTIAL_SESSION_TTL'
>
type Times = Pick<SessionRow, 'status' | 'created_at' | 'started_at' | 'last_used_at'>

export function lifetimesOf(config: Lifetimes, userType: string): { idle: number; absolute: number } {
  return isAdmin({ user_type: userType })
    ? { idle: config.ADMIN_SESSION_IDLE_TTL, absolute: config.ADMIN_SESSION_ABSOLUTE_TTL }
    : { idle: config.SESSION_IDLE_TTL, absolute: config.SESSION_ABSOLUTE_TTL }
}

export function absoluteEnd(config: Lifetimes, session: Times, userType: string): number {
  if (session.status === 'pending') return session.created_at.getTime() + config.PARTIAL_SESSION_TTL
  return session.started_at.getTime() + lifetimesOf(config, userType).absolute
}

/** Returns the earlier of idle and absolute expiry. Use never extends a partial session. */
export function expiryOf(config: Lifetimes, session: Times, userType: string): number {
  const end = absoluteEnd(config, session, userType)
  if (session.status === 'pending') return end
  return Math.min(end, session.last_used_at.getTime() + lifetimesOf(config, userType).idle)
}

export type SessionState = 'live' | 'expired' | 'ended'

export function stateOf(config: Lifetimes, session: Times, userType: string, now: number): SessionState {
  if (session.status === 'expired') return 'expired'
  if (session.status === 'revoked') return 'ended'
  return now < expiryOf(config, session, userType) ? 'live' : 'expired'
}
