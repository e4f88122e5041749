import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Tables } from '../../../db/tables.ts'
import type { ClientType } from '../rows.ts'

export type ClientRow = Selectable<Tables['oauth_clients']>
export type ClientSecretRow = Selectable<Tables['oauth_client_secrets']>

export interface ListedClient extends ClientRow {
  application_key: string
  account_name: string | null
}

const tables = sql`oauth_clients c JOIN applications a ON a.id = c.application_id
  LEFT JOIN service_accounts s ON s.id = c.service_account_id`
const listed = sql`SELECT c.*, a.key AS application_key, s.name AS account_name FROM ${tables}
  WHERE c.deleted_at IS NULL`

export interface ClientFilter {
  /** Part of an identifier, or of the name of the client, its application or its service account. */
  q?: string | undefined
  state?: ClientState | undefined
  type?: ClientType | undefined
  /** Those that have this resource. */
  resource_id?: string | undefined
}

export const clientStates = ['enabled', 'disabled'] as const
export type ClientState = (typeof clientStates)[number]

/** Names are single lines, so no match extends over two of them. */
function matches({ q, state, type, resource_id }: ClientFilter) {
  const searched = sql`concat_ws(chr(10), c.client_id, c.name, a.key, a.name, s.name)`
  const conditions = [
    q !== undefined && sql`position(lower(${q}) IN lower(${searched})) > 0`,
    state !== undefined && sql`c.is_enabled = ${state === 'enabled'}`,
    type !== undefined && sql`c.type = ${type}`,
    resource_id !== undefined && sql`${resource_id} = ANY(c.resources::text[])`,
  ]
  return sql.join([sql`true`, ...conditions.filter((one) => one !== false)], sql` AND `)
}

/** In the order of their names. */
export async function listClients(
  db: Db,
  filter: ClientFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<ListedClient[]> {
  const { rows } = await sql<ListedClient>`${listed} AND ${matches(filter)} ORDER BY lower(c.name), c.id
    LIMIT ${limit} OFFSET ${offset}`.execute(db)
  return rows
}

export async function findClient(db: Db, clientId: string): Promise<ListedClient | undefined> {
  const { rows } = await sql<ListedClient>`${listed} AND c.client_id = ${clientId}`.execute(db)
  return rows[0]
}

export const lockClient = (db: Db, clientId: string): Promise<ClientRow | undefined> =>
  db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

/** Also finds clients that were deleted, whose identifier stays taken. */
export const isClientIdTaken = async (db: Db, clientId: string): Promise<boolean> =>
  (await db.selectFrom('oauth_clients').select('id').where('client_id', '=', clientId).executeTakeFirst()) !== undefined

export async function countClients(db: Db, filter: ClientFilter = {}): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM ${tables}
    WHERE c.deleted_at IS NULL AND ${matches(filter)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** The identifiers of enabled web applications to whose servers users would be sent unencrypted. */
export async function findUnencryptedClients(db: Db): Promise<string[]> {
  const { rows } = await sql<{ client_id: string }>`SELECT client_id FROM oauth_clients
    WHERE type = 'web' AND is_enabled AND deleted_at IS NULL AND EXISTS (
      SELECT FROM unnest(redirect_uris || post_logout_uris || backchannel_uri) AS address WHERE address LIKE 'http:%')
    ORDER BY client_id`.execute(db)
  return rows.map(({ client_id }) => client_id)
}

export const insertClient = (db: Db, row: Insertable<Tables['oauth_clients']>) =>
  db.insertInto('oauth_clients').values(row).execute()

export const updateClient = (db: Db, id: string, changes: Updateable<Tables['oauth_clients']>) =>
  db.updateTable('oauth_clients').set(changes).where('id', '=', id).execute()

export async function findClientEpoch(db: Db, id: string): Promise<number> {
  const { epoch } = await db.selectFrom('oauth_clients').select('epoch').where('id', '=', id).executeTakeFirstOrThrow()
  return Number(epoch)
}

export const insertClientSecret = (db: Db, row: Insertable<Tables['oauth_client_secrets']>) =>
  db.insertInto('oauth_client_secrets').values(row).execute()

export const updateClientSecret = (db: Db, id: string, changes: Updateable<Tables['oauth_client_secrets']>) =>
  db.updateTable('oauth_client_secrets').set(changes).where('id', '=', id).execute()

/** Those that can be used now, the oldest first. */
export const findLiveSecrets = (db: Db, clientRowId: string, now: Date): Promise<ClientSecretRow[]> =>
  db
    .selectFrom('oauth_client_secrets')
    .selectAll()
    .where('client_id', '=', clientRowId)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
