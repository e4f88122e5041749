import type { BearerSource } from './credential.ts'
import type { EndUser } from './end-user.ts'

/** A session's user, with the members that `POST /auth/bridge/validate` returns. */
export interface User {
  id: string
  email: string
  name: string
  last_name: string
  user_name: string
  /** `superadmin`, `admin`, `support`, `customer`, `writer`, or one of USER_TYPES. */
  user_type: string
  picture: string
  phone: string
  is_verified: boolean
  two_factor: boolean
}

/** A session that the service has validated. Times are in ISO 8601 format, in UTC. */
export interface ValidatedSession {
  user: User
  session: {
    id: string
    userId: string
    expiresAt: string
    ipAddress: string | null
    userAgent: string | null
    lastUsedAt: string
    two_factor_verified: 0 | 1
    /** The application that the session was handed over to. Null for a session created by signing in to the service. */
    application?: string | null
    /** The id of that application. Absent if the service's settings declare it. */
    application_id?: string
    /** The id of the superadmin acting as the user. Reject sensitive changes in impersonated sessions. */
    impersonatedBy?: string | null
  }
  expires_at: string
  /** When the user last authenticated. */
  authenticated_at?: string
  /** Authentication methods, as named in RFC 8176. */
  methods?: string[]
  /** The keys of the user's application roles. Absent if the user has none. */
  roles?: string[]
  /** The permissions of these roles, sorted. Absent if the user has no application role. */
  permissions?: string[]
}

/** Looks up sessions. `validate` rejects if the service is unreachable. */
export interface SessionSource {
  /** The session, or undefined if the token is invalid, or if the session is bound to another visitor. */
  validate(sessionToken: string, endUser?: EndUser): Promise<ValidatedSession | undefined>
  /** Like `validate`, but only checks memory. Returns `ask` if the service must be queried. */
  peek(sessionToken: string, endUser?: EndUser): ValidatedSession | undefined | 'ask'
  /** Looks up API keys and access tokens, for rules that permit them. */
  bearers?: BearerSource
  close(): void
}
