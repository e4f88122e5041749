import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Tables } from '../../db/tables.ts'

export type KeyRow = Selectable<Tables['api_keys']>

/** Whose keys they are: exactly one of the two. */
export interface Holder {
  userId: string | null
  accountId: string | null
}

const holderIs = ({ userId, accountId }: Holder) =>
  userId === null ? sql<boolean>`service_account_id = ${accountId}` : sql<boolean>`user_id = ${userId}`

const isLive = (now: Date) => sql<boolean>`(ended_at IS NULL AND (ends_at IS NULL OR ends_at > ${now}))`

export interface ListedKey extends KeyRow {
  uses_last_day: number
  uses_last_month: number
}

/** Valid keys first, then the latest that have ended. */
export async function listKeys(db: Db, holder: Holder, now: Date): Promise<ListedKey[]> {
  const uses = (days: number) => sql<number>`(SELECT coalesce(sum(count), 0)::int FROM api_key_uses
    WHERE key_id = api_keys.id AND day > (${now}::timestamptz AT TIME ZONE 'UTC')::date - ${days}::int)`
  const { rows } = await sql<ListedKey>`SELECT api_keys.*, ${uses(1)} AS uses_last_day, ${uses(30)} AS uses_last_month
    FROM api_keys WHERE ${holderIs(holder)}
    ORDER BY ${isLive(now)} DESC, created_at DESC, id DESC LIMIT 1100`.execute(db)
  return rows
}

/** Returns undefined if the key has ended, because it cannot be changed then. */
export async function lockLiveKey(db: Db, holder: Holder, id: string, now: Date): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`SELECT * FROM api_keys
    WHERE id = ${id} AND ${holderIs(holder)} AND ${isLive(now)} FOR UPDATE`.execute(db)
  return rows[0]
}

/** The newest first. Emails name the first ones. */
export async function findLiveKeyNames(db: Db, userId: string, now: Date): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM api_keys
    WHERE ${holderIs({ userId, accountId: null })} AND ${isLive(now)} ORDER BY created_at DESC LIMIT 20`.execute(db)
  return rows.map(({ name }) => name)
}

/** A key that was replaced does not count, because it ends soon. The caller has locked the holder. */
export async function countLiveKeys(db: Db, holder: Holder, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM api_keys
    WHERE ${holderIs(holder)} AND ${isLive(now)} AND replaced_by IS NULL`.execute(db)
  return rows[0]?.count ?? 0
}

/** The valid key that was replaced by this one. */
export async function findReplaced(db: Db, id: string, now: Date): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`SELECT * FROM api_keys WHERE replaced_by = ${id} AND ${isLive(now)}`.execute(db)
  return rows[0]
}

export const insertKey = (db: Db, row: Insertable<Tables['api_keys']>) =>
  db.insertInto('api_keys').values(row).execute()

export interface RaisedKey {
  id: string
  epoch: number
}

/** Returns the epoch after the change. */
export async function updateKey(db: Db, id: string, changes: Updateable<Tables['api_keys']>): Promise<RaisedKey> {
  const row = await db
    .updateTable('api_keys')
    .set(changes)
    .where('id', '=', id)
    .returning(['id', 'epoch'])
    .executeTakeFirstOrThrow()
  return { id: row.id, epoch: Number(row.epoch) }
}

export interface EndedKey extends RaisedKey {
  name: string
  hint: string
}

interface Ending {
  reason: string
  now: Date
  /** Undefined: all keys of the holder. */
  ids?: readonly string[] | undefined
}

/** Ends keys that have not ended yet. Of two requests, only one ends a key. */
export async function endKeysOf(db: Db, holder: Holder, { reason, now, ids }: Ending): Promise<EndedKey[]> {
  const among = ids === undefined ? sql<boolean>`true` : sql<boolean>`id = ANY(${[...ids]}::uuid[])`
  const { rows } = await sql<EndedKey>`UPDATE api_keys SET ended_at = ${now}, end_reason = ${reason}
    WHERE id IN (SELECT id FROM api_keys WHERE ${holderIs(holder)} AND ${isLive(now)} AND ${among}
      ORDER BY id FOR UPDATE)
    RETURNING id, epoch::int8 AS epoch, name, hint`.execute(db)
  return rows.map((row) => ({ ...row, epoch: Number(row.epoch) }))
}

export async function findByHash(db: Db, hash: Buffer): Promise<KeyRow | undefined> {
  return db.selectFrom('api_keys').selectAll().where('secret_hash', '=', hash).executeTakeFirst()
}

export async function findAnyKey(db: Db, id: string): Promise<KeyRow | undefined> {
  return db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst()
}
