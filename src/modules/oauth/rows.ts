import type { Generated, JSONColumnType } from 'kysely'
import type {
  OAuthCodesTable,
  OAuthConsentsTable,
  OAuthGrantsTable,
  OAuthLogoutsTable,
  OAuthRefreshTokensTable,
  OAuthRequestsTable,
} from './grant-rows.ts'

export const tokenFormats = ['jwt', 'opaque'] as const
export type TokenFormat = (typeof tokenFormats)[number]

/** RFC 7518, 3.1, and RFC 8037, 3.1. */
export const signingAlgs = ['ES256', 'EdDSA', 'RS256'] as const
export type SigningAlg = (typeof signingAlgs)[number]

/** Clients that sign users in: a program on a server, a page in a browser, and a program on a device of the user. */
export const userClientTypes = ['web', 'spa', 'native'] as const
export type UserClientType = (typeof userClientTypes)[number]
/** Clients that act for themselves. */
export const programTypes = ['machine', 'resource_server'] as const
export const clientTypes = [...programTypes, ...userClientTypes] as const
export type ClientType = (typeof clientTypes)[number]

export type ClientAuthMethod = 'client_secret' | 'none'

/** `next` is published but does not sign yet. `retired` no longer signs. `removed` neither signs nor verifies. */
export type KeyStatus = 'next' | 'current' | 'retired' | 'removed'

/** The public members of a key (RFC 7517). */
export interface PublicJwk {
  kty: string
  kid: string
  alg: string
  use: 'sig'
  crv?: string
  x?: string
  y?: string
  n?: string
  e?: string
}

export interface OAuthResourcesTable {
  id: string
  created_at: Date
  updated_at: Date
  epoch: Generated<number>
  tokens_from_epoch: Generated<number>
  application_id: string
  identifier: string
  aliases: string[]
  name: string
  token_format: TokenFormat
  access_ttl: number | null
  alg: SigningAlg | null
  is_enabled: boolean
}

export interface OAuthClientsTable {
  id: string
  created_at: Date
  updated_at: Date
  epoch: Generated<number>
  tokens_from_epoch: Generated<number>
  application_id: string
  client_id: string
  type: ClientType
  name: string
  source: Generated<'admin'>
  auth_method: Generated<ClientAuthMethod>
  grant_types: string[]
  service_account_id: string | null
  scopes: string[]
  resources: string[]
  given_from: Generated<Record<string, number>>
  access_ttl: number | null
  redirect_uris: Generated<string[]>
  post_logout_uris: Generated<string[]>
  allowed_origins: Generated<string[]>
  require_pkce: Generated<boolean>
  is_trusted: Generated<boolean>
  id_token_alg: Generated<SigningAlg | null>
  id_token_claims: Generated<boolean>
  groups_claim: Generated<boolean>
  offline_default: Generated<boolean>
  refresh_idle_ttl: Generated<number | null>
  refresh_absolute_ttl: Generated<number | null>
  allowed_types: Generated<string[]>
  required_permission: Generated<string | null>
  backchannel_uri: Generated<string | null>
  is_enabled: boolean
  deleted_at: Generated<Date | null>
  last_used_at: Generated<Date | null>
}

export interface OAuthClientSecretsTable {
  id: string
  created_at: Date
  client_id: string
  secret_hash: Buffer
  hint: string
  expires_at: Date | null
  revoked_at: Generated<Date | null>
  last_used_at: Generated<Date | null>
}

export interface OAuthAccessTokensTable {
  token_hash: Buffer
  created_at: Date
  client_id: string
  client_epoch: number
  scopes: string[]
  resource_id: string | null
  resource_epoch: number | null
  cnf: JSONColumnType<object> | null
  expires_at: Date
  grant_id: Generated<string | null>
}

export interface OAuthKeysTable {
  kid: string
  id: string
  created_at: Date
  alg: SigningAlg
  public_jwk: JSONColumnType<PublicJwk>
  sealed_private: string
  status: KeyStatus
  active_from: Date
  retired_at: Generated<Date | null>
  published_until: Generated<Date | null>
  delete_after: Generated<Date | null>
}

declare module '../../db/tables.ts' {
  interface Tables {
    oauth_resources: OAuthResourcesTable
    oauth_clients: OAuthClientsTable
    oauth_client_secrets: OAuthClientSecretsTable
    oauth_access_tokens: OAuthAccessTokensTable
    oauth_revoked_tokens: { token_id: string; created_at: Date; expires_at: Date }
    oauth_keys: OAuthKeysTable
    oauth_requests: OAuthRequestsTable
    oauth_consents: OAuthConsentsTable
    oauth_grants: OAuthGrantsTable
    oauth_codes: OAuthCodesTable
    oauth_refresh_tokens: OAuthRefreshTokensTable
    oauth_logouts: OAuthLogoutsTable
    oauth_version: { one: boolean; version: number }
  }
}
