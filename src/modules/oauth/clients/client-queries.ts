import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import {
  accountColumns,
  isLiveAccount,
  type OwningAccount,
  ownersOfAccount,
} from '../../api-keys/live-account-queries.ts'
import type { ClientAuthMethod, ClientType, SigningAlg } from '../rows.ts'
import type { Client, UserSignIn } from './client-view.ts'

interface Row {
  id: string
  client_id: string
  name: string
  type: ClientType
  application_id: string
  application_key: string
  application_epoch: number
  epoch: number
  tokens_from_epoch: number
  grant_types: string[]
  scopes: string[]
  resources: string[]
  given_from: Record<string, number>
  access_ttl: number | null
  auth_method: ClientAuthMethod
  redirect_uris: string[]
  post_logout_uris: string[]
  allowed_origins: string[]
  require_pkce: boolean
  is_trusted: boolean
  id_token_alg: SigningAlg | null
  id_token_claims: boolean
  groups_claim: boolean
  offline_default: boolean
  refresh_idle_ttl: number | null
  refresh_absolute_ttl: number | null
  allowed_types: string[]
  required_permission: string | null
  backchannel_uri: string | null
  is_live: boolean
  account: OwningAccount | null
  secrets: { id: string; hash: string; expires_at: number | null }[]
}

/** By the identifiers that clients send, or by the ids of rows. */
type Wanted = { clientIds: readonly string[] } | { ids: readonly string[] }

/** One statement reads the clients and whatever can end their tokens, so that no view combines different times. */
export async function findClientViews(
  ctx: Pick<Context, 'db' | 'clock' | 'config'>,
  wanted: Wanted,
): Promise<Client[]> {
  const now = ctx.clock.date()
  const condition =
    'ids' in wanted
      ? sql`c.id = ANY(${[...wanted.ids]}::uuid[])`
      : sql`c.client_id = ANY(${[...wanted.clientIds]}::text[])`
  const { rows } = await sql<Row>`SELECT c.id, c.client_id, c.name, c.type, c.application_id, p.key AS application_key,
      p.epoch AS application_epoch, c.epoch, c.tokens_from_epoch, c.grant_types, c.scopes, c.resources, c.given_from,
      c.access_ttl,
      c.auth_method, c.redirect_uris, c.post_logout_uris, c.allowed_origins, c.require_pkce, c.is_trusted, c.id_token_alg,
      c.id_token_claims, c.groups_claim, c.offline_default, c.refresh_idle_ttl, c.refresh_absolute_ttl, c.allowed_types,
      c.required_permission, c.backchannel_uri,
      (c.is_enabled AND c.deleted_at IS NULL AND p.is_enabled AND p.deleted_at IS NULL) AS is_live,
      CASE WHEN a.id IS NOT NULL THEN ${accountColumns(now)} END AS account,
      coalesce((SELECT json_agg(json_build_object('id', s.id, 'hash', encode(s.secret_hash, 'hex'),
          'expires_at', extract(epoch FROM s.expires_at) * 1000) ORDER BY s.created_at DESC)
        FROM oauth_client_secrets s WHERE s.client_id = c.id AND s.revoked_at IS NULL
          AND (s.expires_at IS NULL OR s.expires_at > ${now})), '[]') AS secrets
    FROM oauth_clients c
    JOIN applications p ON p.id = c.application_id
    LEFT JOIN service_accounts a ON a.id = c.service_account_id
    WHERE ${condition}`.execute(ctx.db)
  return rows.map((row) => toClient(ctx, row))
}

function toClient({ config }: Pick<Context, 'config'>, row: Row): Client {
  const { account } = row
  return {
    id: row.id,
    clientId: row.client_id,
    name: row.name,
    type: row.type,
    application: { id: row.application_id, key: row.application_key },
    epoch: Number(row.epoch),
    tokensFromEpoch: Number(row.tokens_from_epoch),
    grantTypes: row.grant_types,
    scopes: account ? row.scopes.filter((scope) => account.scopes.includes(scope)) : row.scopes,
    resources: row.resources,
    givenFrom: new Map(Object.entries(row.given_from)),
    accessTtl: milliseconds(row.access_ttl),
    account: account && { id: account.id, name: account.name },
    endsAt: account?.ends_at ?? null,
    secrets: row.secrets.map(({ id, hash, expires_at }) => ({ id, hash, expiresAt: expires_at })),
    authMethod: row.auth_method,
    signIn: signInOf(row),
    isLive: row.is_live && (account === null || isLiveAccount(config, account)),
    owners: [
      { id: row.id, epoch: Number(row.epoch) },
      { id: row.application_id, epoch: Number(row.application_epoch) },
      ...(account ? ownersOfAccount(config, account) : []),
    ],
  }
}

const milliseconds = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1000)

const signInOf = (row: Row): UserSignIn => ({
  redirectUris: row.redirect_uris,
  postLogoutUris: row.post_logout_uris,
  allowedOrigins: row.allowed_origins,
  requirePkce: row.require_pkce,
  isTrusted: row.is_trusted,
  idTokenAlg: row.id_token_alg ?? 'RS256',
  idTokenClaims: row.id_token_claims,
  groupsClaim: row.groups_claim,
  offlineDefault: row.offline_default,
  refreshIdleTtl: milliseconds(row.refresh_idle_ttl),
  refreshAbsoluteTtl: milliseconds(row.refresh_absolute_ttl),
  allowedTypes: row.allowed_types,
  requiredPermission: row.required_permission,
  backchannelUri: row.backchannel_uri,
})
