/** The user of a session, with the members that `POST /auth/bridge/validate` returns. */
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
    /**
     * The application that the session was handed over to. Null for a session that was created by a sign-in at the
     * service.
     */
    application?: string | null
    /** The id of the superadmin who acts as the user. Refuse sensitive changes in such a session. */
    impersonatedBy?: string | null
  }
  expires_at: string
  /** The time at which the user last authenticated. */
  authenticated_at?: string
  /** Authentication methods, with the names of RFC 8176. */
  methods?: string[]
}

/** Looks up sessions. `validate` rejects if the service cannot be reached. */
export interface SessionSource {
  /** The session, or undefined if the token is not valid. */
  validate(sessionToken: string): Promise<ValidatedSession | undefined>
  /** Like `validate`, but only from memory. Returns `ask` if the service must be asked. */
  peek(sessionToken: string): ValidatedSession | undefined | 'ask'
  close(): void
}
