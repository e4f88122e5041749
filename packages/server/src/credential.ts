import type { EndUser } from './end-user.ts'
import type { User, ValidatedSession } from './session.ts'

/** The kinds of credential that a rule can permit. */
export type CredentialKind = 'session' | 'api_key' | 'token'

/** The members that API keys and access tokens have in common. Times are in ISO 8601 format, in UTC. */
interface Bearer {
  /** The user for whom the credential acts. Null for service accounts. */
  user: User | null
  session: null
  /** Null for the credential of a user. */
  service_account: { id: string; name: string } | null
  roles: string[]
  /** The permissions of your applications among the scopes. */
  permissions: string[]
  /** The scopes that the credential has at present. */
  scopes: string[]
}

/** An API key that the service has validated. */
export interface ValidatedKey extends Bearer {
  kind: 'api_key'
  key: {
    id: string
    name: string
    kind: 'personal' | 'service'
    last_used_at: string | null
    /** The networks from which the key can be used. Empty: all. */
    ip_ranges: string[]
  }
  client: null
  resource: null
  /** Null for a key without an end. */
  expires_at: string | null
  /** A key proves no sign-in. */
  authenticated_at: null
  methods: string[]
}

/** An OAuth access token that the service has validated (RFC 6750). */
export interface ValidatedToken extends Bearer {
  kind: 'token'
  key: null
  /** The OAuth client to which the token was issued. */
  client: { id: string; name: string; type: string }
  /** The identifier of the API for which the token was issued (RFC 8707). */
  resource: string
  expires_at: string
  /** When the user authenticated. Null for a service account. */
  authenticated_at: string | null
  /** How the user authenticated, as named in RFC 8176. */
  methods: string[]
}

/** A credential in `Authorization: Bearer` that is not a session. */
export type ValidatedBearer = ValidatedKey | ValidatedToken

/** A session as the result of a rule with `kinds`. */
export interface SessionCredential extends ValidatedSession {
  kind: 'session'
  service_account: null
  key: null
  client: null
  resource: null
  scopes: string[]
}

/** The result of a rule with `kinds`. */
export type ValidatedCredential = SessionCredential | ValidatedBearer

/** How a key or token is used, which is judged at every use and never cached. */
export interface BearerUse {
  endUser: EndUser
  /** All of them must be present. */
  scopes: readonly string[]
  /** Only for tokens, and required for them: the API that is called. */
  resource?: string | undefined
}

/** Looks up API keys and access tokens. */
export interface BearerSource {
  /** Rejects with a `WardenryError`: that of the rejection, or one with status 503 if the service is unreachable. */
  validate(bearer: string, use: BearerUse): Promise<ValidatedBearer>
  /** Like `validate`, but only checks memory. Returns `ask` if the service must be queried. */
  peek(bearer: string, use: BearerUse): ValidatedBearer | 'ask'
}

export const asCredential = (session: ValidatedSession): SessionCredential => ({
  ...session,
  kind: 'session',
  service_account: null,
  key: null,
  client: null,
  resource: null,
  scopes: [],
})
