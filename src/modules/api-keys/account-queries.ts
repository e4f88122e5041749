import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Tables } from '../../db/tables.ts'

export type AccountRow = Selectable<Tables['service_accounts']>

export interface AccountOwner {
  id: string
  email: string
  name: string
}

export interface ListedAccount extends AccountRow {
  owners: AccountOwner[]
  keys: number
  last_used_at: Date | null
}

const listed = (now: Date) => sql`SELECT a.*,
    (SELECT coalesce(json_agg(json_build_object('id', u.id, 'email', u.email, 'name', btrim(u.name || ' ' || u.last_name))
        ORDER BY u.email), '[]') FROM service_account_owners o JOIN users u ON u.id = o.user_id
      WHERE o.service_account_id = a.id AND u.deleted_at IS NULL) AS owners,
    (SELECT count(*)::int FROM api_keys k WHERE k.service_account_id = a.id AND k.ended_at IS NULL
      AND (k.ends_at IS NULL OR k.ends_at > ${now})) AS keys,
    (SELECT max(k.last_used_at) FROM api_keys k WHERE k.service_account_id = a.id) AS last_used_at
  FROM service_accounts a WHERE a.deleted_at IS NULL`

export async function listAccounts(db: Db, now: Date): Promise<ListedAccount[]> {
  const { rows } = await sql<ListedAccount>`${listed(now)} ORDER BY lower(a.name), a.id`.execute(db)
  return rows
}

export async function findAccount(db: Db, id: string, now: Date): Promise<ListedAccount | undefined> {
  const { rows } = await sql<ListedAccount>`${listed(now)} AND a.id = ${id}`.execute(db)
  return rows[0]
}

export async function lockServiceAccount(db: Db, id: string): Promise<AccountRow | undefined> {
  return db
    .selectFrom('service_accounts')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export const insertAccount = (db: Db, row: Insertable<Tables['service_accounts']>) =>
  db.insertInto('service_accounts').values(row).execute()

export const updateAccount = (db: Db, id: string, changes: Updateable<Tables['service_accounts']>) =>
  db.updateTable('service_accounts').set(changes).where('id', '=', id).execute()

export async function findEpoch(db: Db, id: string): Promise<number> {
  const row = await db.selectFrom('service_accounts').select('epoch').where('id', '=', id).executeTakeFirstOrThrow()
  return Number(row.epoch)
}

export async function countAccounts(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM service_accounts
    WHERE deleted_at IS NULL`.execute(db)
  return rows[0]?.count ?? 0
}

export async function findOwnerIds(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('service_account_owners')
    .select('user_id')
    .where('service_account_id', '=', accountId)
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Writes only the differences, because each row that is written raises the epoch of the account. */
export async function replaceOwners(db: Db, accountId: string, userIds: readonly string[]): Promise<void> {
  await sql`DELETE FROM service_account_owners
    WHERE service_account_id = ${accountId} AND user_id <> ALL(${[...userIds]}::uuid[])`.execute(db)
  await sql`INSERT INTO service_account_owners (service_account_id, user_id)
    SELECT ${accountId}, id FROM unnest(${[...userIds]}::uuid[]) AS id ON CONFLICT DO NOTHING`.execute(db)
}

export interface Recipient {
  id: string
  email: string
  name: string
  lang: string | null
  is_verified: boolean
}

/** The users of these ids who are not deleted. */
export const findRecipients = (db: Db, ids: readonly string[]): Promise<Recipient[]> =>
  db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'lang', 'is_verified'])
    .where('id', 'in', [...ids])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()

/** The accounts that lose this owner, each with the number of owners that remain. */
export async function removeOwner(db: Db, userId: string): Promise<{ id: string; left: number }[]> {
  const { rows } = await sql<{ id: string; left: number }>`WITH locked AS (
      SELECT id FROM service_accounts WHERE id IN (
        SELECT service_account_id FROM service_account_owners WHERE user_id = ${userId}) ORDER BY id FOR UPDATE),
    removed AS (DELETE FROM service_account_owners WHERE user_id = ${userId}
      AND service_account_id IN (SELECT id FROM locked) RETURNING service_account_id)
    SELECT service_account_id AS id, (SELECT count(*)::int FROM service_account_owners o
      WHERE o.service_account_id = removed.service_account_id AND o.user_id <> ${userId}) AS left FROM removed`.execute(
    db,
  )
  return rows
}
