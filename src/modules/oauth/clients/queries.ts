import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Tables } from '../../../db/tables.ts'

export type ClientRow = Selectable<Tables['oauth_clients']>
export type ClientSecretRow = Selectable<Tables['oauth_client_secrets']>

export interface ListedClient extends ClientRow {
  application_key: string
  account_name: string | null
}

const listed = sql`SELECT c.*, a.key AS application_key, s.name AS account_name
  FROM oauth_clients c JOIN applications a ON a.id = c.application_id
  LEFT JOIN service_accounts s ON s.id = c.service_account_id WHERE c.deleted_at IS NULL`

/** In the order of their names. */
export async function listClients(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
): Promise<ListedClient[]> {
  const { rows } = await sql<ListedClient>`${listed} ORDER BY lower(c.name), c.id
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

export async function countClients(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM oauth_clients
    WHERE deleted_at IS NULL`.execute(db)
  return rows[0]?.count ?? 0
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
