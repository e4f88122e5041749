import type { Db } from '../db/tables.ts'
import type { Versioned } from '../lib/versioned-cache.ts'
import type { PreparedResponse } from './prepared-response.ts'
import type { RoleGrants, RoleSet } from './roles.ts'
import type { SessionSource, UserRow } from './sessions.ts'

/** The core provides sessions, and modules the others. */
export const credentialKinds = ['session', 'api_key', 'token'] as const

export type CredentialKind = (typeof credentialKinds)[number]

export type ModuleCredentialKind = Exclude<CredentialKind, 'session'>

/** A credential that is valid, as far as this does not depend on the request. Contains no secret. */
export interface CredentialView {
  kind: ModuleCredentialKind
  /** Identifies the credential in the audit trail. */
  id: string
  /** The user whose rights bound those of the credential. Null for service accounts. */
  user: UserRow | null
  serviceAccount: { id: string; name: string } | null
  key: CredentialKey | null
  /** The OAuth client to which a token was issued. */
  client: CredentialClient | null
  /** The API for which a token was issued. Others must reject it. */
  resource: CredentialResource | null
  /** When a token was issued. */
  issuedAt: number | null
  /** The most that the credential allows. `effectiveScopes` is what it allows at present. */
  scopes: readonly string[]
  /** In milliseconds since 1970, as all times here. */
  expiresAt: number | null
  /** The application roles of the user; those of a service account are none, but the version counts. */
  grants: RoleGrants
  /** The networks from which it is accepted, in CIDR notation. Empty: all. */
  ipRanges: readonly string[]
  /** The user must set up a second factor again first. */
  isPaused: boolean
  /** Whatever can invalidate the credential, itself included. */
  owners: Versioned['owners']
}

export interface CredentialKey {
  id: string
  name: string
  kind: 'personal' | 'service'
  lastUsedAt: number | null
}

export interface CredentialClient {
  /** The identifier that the client sends. */
  id: string
  name: string
  type: string
}

export interface CredentialResource {
  identifier: string
  aliases: readonly string[]
  /** Null: this service's own API. */
  applicationId: string | null
}

export interface CachedCredential extends Versioned {
  readonly view: CredentialView
  /** For the provider: the time after which the next use must be recorded. */
  noteFrom: number
  /** The bridge response, and what it was made for. Whether this use is allowed is decided before. */
  prepared:
    | { rolesVersion: number; applicationId: string | undefined; scopes: readonly string[]; response: PreparedResponse }
    | undefined
}

export interface FoundCredential {
  provider: CredentialProvider
  cached: CachedCredential
  source: SessionSource
  /** The roles that belong to the grants of the credential. */
  roles: RoleSet
}

/** A kind of credential that a module provides. */
export interface CredentialProvider {
  readonly kind: ModuleCredentialKind
  /** By form and checksum alone, without a query. No other provider recognizes the same text. */
  recognizes(text: string): boolean
  /**
   * The credentials that exist, are live and belong to a live owner, by their text. Reads all with one statement. The
   * signatures of the texts in `known` were verified before.
   */
  read(texts: readonly string[], known?: ReadonlySet<string>): Promise<ReadonlyMap<string, CredentialView>>
  /** Those of a user that are valid, also after the password is changed. */
  heldBy?(db: Db, userId: string): Promise<HeldCredentials>
  /** Called at every use. Returns at once, and does not reject. */
  noteUse(cached: CachedCredential, use: CredentialUse): void
  /** Called when a credential that exists is rejected. Records it in the audit trail, at most once a while. */
  noteRejection(view: CredentialView, code: string, use: CredentialUse): Promise<void>
}

export interface HeldCredentials {
  names: readonly string[]
  /** The page on which the user can end them. */
  url: string
}

export interface CredentialUse {
  now: number
  /** The IP address of the caller. Undefined if the back end does not send it. */
  address: string | undefined
}

/** Credentials besides sessions. `recall` and `load` find nothing while the module is not available. */
export interface Credentials {
  /** The kinds whose module is installed and enabled, and sessions. */
  kinds(): readonly CredentialKind[]
  /** By form alone, also if the module is not available. Undefined for sessions and everything else. */
  recognize(text: string): CredentialProvider | undefined
  /** Without I/O or a promise, and without looking at the form, because only what has one is in memory. */
  recall(text: string): FoundCredential | undefined
  /** Like `recall`, but only in the first half of the cache lifetime, because the caller may also cache the result. */
  recallYoung(text: string): FoundCredential | undefined
  /** The credentials of a user that a new password leaves alone. Undefined if there are none. */
  heldBy(db: Db, userId: string): Promise<HeldCredentials | undefined>
  /** `beforeRead` may throw, to prevent the query. */
  load(text: string, options: LoadOptions): Promise<FoundCredential | undefined>
}

export interface LoadOptions {
  freshness: 'copy' | 'fresh'
  beforeRead?: () => void
}
