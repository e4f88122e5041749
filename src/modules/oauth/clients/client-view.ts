import type { Owner } from '../../../lib/versioned-cache.ts'
import type { ClientAuthMethod, ClientType, SigningAlg } from '../rows.ts'

/** A client as nodes keep it in memory. */
export interface Client {
  /** Of the row. */
  readonly id: string
  readonly clientId: string
  readonly name: string
  readonly type: ClientType
  readonly application: { id: string; key: string }
  readonly epoch: number
  /** Tokens of an earlier epoch have ended. */
  readonly tokensFromEpoch: number
  readonly grantTypes: readonly string[]
  /** For a machine, those that its service account has as well. */
  readonly scopes: readonly string[]
  /** Ids. */
  readonly resources: readonly string[]
  /** The epochs from which tokens have those scopes and resources that the client has not always had. */
  readonly givenFrom: ReadonlyMap<string, number>
  /** In milliseconds. Null: that of the resource. */
  readonly accessTtl: number | null
  readonly account: { id: string; name: string } | null
  /** Tokens end no later than the account, in milliseconds since 1970. */
  readonly endsAt: number | null
  /** The SHA-256 of each secret in hex, and its end. */
  readonly secrets: readonly { id: string; hash: string; expiresAt: number | null }[]
  readonly authMethod: ClientAuthMethod
  /** Of a client that signs users in. */
  readonly signIn: UserSignIn
  /** Whether the client, its application and its service account are enabled. */
  readonly isLive: boolean
  readonly owners: readonly Owner[]
}

/** How a client signs users in. The addresses of other clients are empty. */
export interface UserSignIn {
  readonly redirectUris: readonly string[]
  readonly postLogoutUris: readonly string[]
  readonly allowedOrigins: readonly string[]
  readonly requirePkce: boolean
  /** Users are not asked for their consent. */
  readonly isTrusted: boolean
  readonly idTokenAlg: SigningAlg
  /** ID tokens also contain the claims of the UserInfo endpoint. */
  readonly idTokenClaims: boolean
  readonly groupsClaim: boolean
  readonly offlineDefault: boolean
  /** In milliseconds. Null: the setting. */
  readonly refreshIdleTtl: number | null
  readonly refreshAbsoluteTtl: number | null
  /** Who may sign in. Empty: users of all types. */
  readonly allowedTypes: readonly string[]
  readonly requiredPermission: string | null
  readonly backchannelUri: string | null
}
