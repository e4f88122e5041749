import type { Context } from '../../../context.ts'
import { AppError } from '../../../lib/errors.ts'
import { type PageRequest, paginationOf } from '../../../lib/paging.ts'
import { iso } from '../../../lib/time.ts'
import {
  type ClientFilter,
  type ClientSecretRow,
  countClients,
  findClient,
  findLiveSecrets,
  type ListedClient,
  listClients,
} from './queries.ts'

export async function listedClients({ db }: Context, page: PageRequest, filter: ClientFilter = {}) {
  const rows = await listClients(db, filter, page)
  return { clients: rows.map(shownClient), pagination: paginationOf(page, await countClients(db, filter)) }
}

export async function getClient({ db, clock }: Context, clientId: string) {
  const found = await findClient(db, clientId)
  if (!found) throw new AppError('OAUTH_CLIENT_NOT_FOUND')
  const secrets = await findLiveSecrets(db, found.id, clock.date())
  return { ...shownClient(found), secrets: secrets.map(shownSecret) }
}

const time = (value: Date | null) => value && iso(value)

const shownClient = (row: ListedClient) => ({
  client_id: row.client_id,
  type: row.type,
  name: row.name,
  application: { id: row.application_id, key: row.application_key },
  service_account:
    row.service_account_id === null ? null : { id: row.service_account_id, name: row.account_name ?? '' },
  scopes: row.scopes,
  resources: row.resources,
  access_ttl: row.access_ttl,
  grant_types: row.grant_types,
  auth_method: row.auth_method,
  enabled: row.is_enabled,
  last_used_at: time(row.last_used_at),
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
  ...shownSignIn(row),
})

const shownSignIn = ({ is_trusted, ...row }: ListedClient) => ({
  redirect_uris: row.redirect_uris,
  post_logout_uris: row.post_logout_uris,
  allowed_origins: row.allowed_origins,
  require_pkce: row.require_pkce,
  trusted: is_trusted,
  id_token_alg: row.id_token_alg,
  id_token_claims: row.id_token_claims,
  groups_claim: row.groups_claim,
  offline_default: row.offline_default,
  refresh_idle_ttl: row.refresh_idle_ttl,
  refresh_absolute_ttl: row.refresh_absolute_ttl,
  allowed_types: row.allowed_types,
  required_permission: row.required_permission,
  backchannel_uri: row.backchannel_uri,
})

const shownSecret = ({ id, hint, created_at, expires_at, last_used_at }: ClientSecretRow) => ({
  id,
  hint,
  created_at: iso(created_at),
  expires_at: time(expires_at),
  last_used_at: time(last_used_at),
})
