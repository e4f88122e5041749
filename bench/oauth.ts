import type pg from 'pg'
import { sha256Bytes } from '../src/lib/hash.ts'
import { newId } from '../src/lib/ids.ts'
import { newClientSecret } from '../src/modules/oauth/clients/secret-text.ts'
import { withClient } from './with-client.ts'

export interface BenchClient {
  id: string
  secret: string
}

/** Everything that machines need, as the service stores it. */
export interface OAuthPopulation {
  clients: BenchClient[]
  /** The client of the API, which introspects. */
  server: BenchClient
}

export const [jwtApi, opaqueApi] = ['https://jwt.example.test', 'https://opaque.example.test']
export const scope = 'invoices:read'

const application = 'b0000000-0000-4000-8000-000000000002'
const [jwtId, opaqueId] = ['c0000000-0000-4000-8000-000000000001', 'c0000000-0000-4000-8000-000000000002']

/** An application with two APIs, one with JWTs and one with opaque tokens, and this many machines. */
export async function seedClients(databaseUrl: string, count: number): Promise<OAuthPopulation> {
  const clients = Array.from({ length: count }, (_, index) => ({ id: `machine-${index}`, secret: newClientSecret() }))
  const server = { id: 'api', secret: newClientSecret() }
  await withClient(databaseUrl, async (client) => {
    await seedApis(client)
    await insertClients(client, clients, 'machine')
    await insertClients(client, [server], 'resource_server')
    await client.query('ANALYZE oauth_clients, oauth_client_secrets')
  })
  return { clients, server }
}

async function seedApis(client: pg.Client): Promise<void> {
  await client.query(
    `INSERT INTO applications (id, created_at, updated_at, is_enabled, is_development, key, name, kind)
     VALUES ($1, now(), now(), true, false, 'invoices', 'Invoices', 'service')`,
    [application],
  )
  await client.query(
    `INSERT INTO permissions (key, application_id, title, description, sensitive)
     SELECT key, $1, '{}', '{}', false FROM unnest($2::text[]) key`,
    [application, [scope, 'invoices:write']],
  )
  await client.query(
    `INSERT INTO oauth_resources (id, application_id, identifier, name, token_format, is_enabled)
     VALUES ($1, $3, $4, 'API', 'jwt', true), ($2, $3, $5, 'API', 'opaque', true)`,
    [jwtId, opaqueId, application, jwtApi, opaqueApi],
  )
}

/** Each machine has a service account of its own. */
async function insertClients(client: pg.Client, clients: BenchClient[], type: string): Promise<void> {
  const rows = clients.map(({ id, secret }) => ({ id: newId(), account: newId(), clientId: id, secret }))
  const ids = rows.map(({ id }) => id)
  const accounts = rows.map(({ account }) => (type === 'machine' ? account : null))
  await client.query(
    `INSERT INTO service_accounts (id, name, scopes, is_enabled)
     SELECT id, 'Machine', $2, true FROM unnest($1::uuid[]) id WHERE id IS NOT NULL`,
    [accounts, [scope]],
  )
  await client.query(
    `INSERT INTO service_account_owners (service_account_id, user_id)
     SELECT id, (SELECT min(id::text)::uuid FROM users) FROM unnest($1::uuid[]) id WHERE id IS NOT NULL`,
    [accounts],
  )
  await client.query(
    `INSERT INTO oauth_clients (id, application_id, client_id, type, name, grant_types, service_account_id, scopes, resources, is_enabled)
     SELECT id, $4, name, $5, name, $6, account, $7, $8, true
     FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS c (id, name, account)`,
    [
      ids,
      rows.map(({ clientId }) => clientId),
      accounts,
      application,
      type,
      type === 'machine' ? ['client_credentials'] : [],
      type === 'machine' ? [scope] : [],
      [jwtId, opaqueId],
    ],
  )
  await client.query(
    `INSERT INTO oauth_client_secrets (client_id, secret_hash, hint)
     SELECT id, hash, 'wcs_…' FROM unnest($1::uuid[], $2::bytea[]) AS s (id, hash)`,
    [ids, rows.map(({ secret }) => sha256Bytes(secret))],
  )
}

const form = (parameters: Record<string, string>): string => new URLSearchParams(parameters).toString()

const credentialsOf = ({ id, secret }: BenchClient) => ({ client_id: id, client_secret: secret })

export const tokenForm = (client: BenchClient, resource: string): string =>
  form({ grant_type: 'client_credentials', scope, resource, ...credentialsOf(client) })

export const introspectionForm = (client: BenchClient, token: string): string =>
  form({ token, ...credentialsOf(client) })

/** Gets this many tokens, from all clients in turn. */
export async function issuedTokens(
  url: string,
  clients: readonly BenchClient[],
  resource: string,
  count: number,
): Promise<string[]> {
  const tokens: string[] = []
  let next = 0
  const work = async () => {
    while (next < count) {
      const body = tokenForm(clients[next++ % clients.length] as BenchClient, resource)
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const reply = await fetch(url, { method: 'POST', headers, body })
      const { access_token } = (await reply.json()) as { access_token?: string }
      if (!access_token)
        throw new Error(`${url} issued no token to ${body.replace(/client_secret=[^&]*/, '')}: ${reply.status}`)
      tokens.push(access_token)
    }
  }
  await Promise.all(Array.from({ length: 32 }, work))
  return tokens
}
