import type { EndUser } from './end-user.ts'
import type { User, ValidatedSession } from './session.ts'

/** The kinds of credential that a rule can permit. */
export type CredentialKind = 'session' | 'api_key'

/** An API key that the service has validated. Times are in ISO 8601 format, in UTC. */
export interface ValidatedKey {
  kind: 'api_key'
  /** The user for whom a personal key acts. Null for the key of a service account. */
  user: User | null
  session: null
  /** Null for a personal key. */
  service_account: { id: string; name: string } | null
  key: {
    id: string
    name: string
    kind: 'personal' | 'service'
    last_used_at: string | null
    /** The networks from which the key can be used. Empty: all. */
    ip_ranges: string[]
  }
  roles: string[]
  /** The permissions of your applications among the scopes. */
  permissions: string[]
  /** The scopes that the key has at present. */
  scopes: string[]
  /** Null for a key without an end. */
  expires_at: string | null
  /** A key proves no sign-in. */
  authenticated_at: null
  methods: string[]
}

/** A session as the result of a rule with `kinds`. */
export interface SessionCredential extends ValidatedSession {
  kind: 'session'
  service_account: null
  key: null
  scopes: string[]
}

/** The result of a rule with `kinds`. */
export type ValidatedCredential = SessionCredential | ValidatedKey

/** How a key is used, which is judged at every use and never cached. */
export interface KeyUse {
  endUser: EndUser
  /** All of them must be present. */
  scopes: readonly string[]
}

/** Looks up API keys. */
export interface KeySource {
  /** Rejects with a `WardenryError`: that of the rejection, or one with status 503 if the service is unreachable. */
  validate(key: string, use: KeyUse): Promise<ValidatedKey>
  /** Like `validate`, but only checks memory. Returns `ask` if the service must be queried. */
  peek(key: string, use: KeyUse): ValidatedKey | 'ask'
}

export const asCredential = (session: ValidatedSession): SessionCredential => ({
  ...session,
  kind: 'session',
  service_account: null,
  key: null,
  scopes: [],
})
