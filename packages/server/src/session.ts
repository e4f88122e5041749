/** The user of a session, as `POST /auth/bridge/validate` describes them. */
export interface User {
  id: string
  email: string
  name: string
  last_name: string
  user_name: string
  /** `superadmin`, `admin`, `customer`, `writer`, or a type of your own. */
  user_type: string
  picture: string
  phone: string
  is_verified: boolean
  two_factor: boolean
}

/** A session that the service has confirmed. Times are ISO 8601 in UTC. */
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
    /** The application that the session was handed over to; null for browser and mobile app sessions. */
    application?: string | null
    /** The id of the superadmin who acts as the user; refuse changes in such a session. */
    impersonatedBy?: string | null
  }
  expires_at: string
  /** When the user last authenticated. */
  authenticated_at?: string
  /** Authentication methods, with the names of RFC 8176. */
  methods?: string[]
}

/** A source of sessions. `validate` rejects if the service cannot be reached. */
export interface SessionSource {
  /** The session, or undefined if the token is not valid. */
  validate(sessionToken: string): Promise<ValidatedSession | undefined>
  /** Like `validate`, but without waiting. Returns `ask` if the service must be asked. */
  peek(sessionToken: string): ValidatedSession | undefined | 'ask'
  close(): void
}
