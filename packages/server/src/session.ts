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
    /** The application that the session was handed over to; null for the session of a browser or a mobile app. */
    application?: string | null
  }
  expires_at: string
  /** When the user last proved who they are. */
  authenticated_at?: string
  /** How they did, in the names of RFC 8176. */
  methods?: string[]
}

/** Where sessions are looked up. `validate` rejects when the service cannot be asked. */
export interface SessionSource {
  /** The session, or undefined when nobody is signed in with this value. */
  validate(sessionToken: string): Promise<ValidatedSession | undefined>
  /** The same without waiting, or `ask` when only the service can say. */
  peek(sessionToken: string): ValidatedSession | undefined | 'ask'
  close(): void
}
