import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../db/tables.ts'

const columns = ['id', 'type', 'version', 'occurred_at', 'target_id', 'data'] as const

export type StoredEvent = Pick<Selectable<Tables['events']>, (typeof columns)[number]> & { position: number }

export const insertServiceEvents = (db: Db, rows: Insertable<Tables['events']>[]) =>
  db.insertInto('events').values(rows).execute()

export const hasUnpositioned = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('events').select('seq').where('position', 'is', null).limit(1).executeTakeFirst()) !== undefined

/** Returns undefined if another transaction is assigning positions. */
export async function lockLastPosition(tx: Db): Promise<number | undefined> {
  const row = await tx.selectFrom('event_positions').select('last').forUpdate().skipLocked().executeTakeFirst()
  return row && Number(row.last)
}

/**
 * Must be a separate statement from `lockLastPosition`, because it must see the events that the previous lock holder
 * has numbered. `seq` gives the order of inserts. Transactions that change the same user lock the user, so the events
 * of a user are committed in the order of `seq`.
 */
export async function assignPositions(tx: Db, last: number, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    WITH waiting AS (
      SELECT seq, row_number() OVER (ORDER BY seq) AS place
      FROM (SELECT seq FROM events WHERE position IS NULL ORDER BY seq LIMIT ${limit}) AS first
    ), numbered AS (
      UPDATE events SET position = ${last}::bigint + place FROM waiting WHERE events.seq = waiting.seq RETURNING 1
    ), counted AS (SELECT count(*)::int AS count FROM numbered)
    UPDATE event_positions SET last = last + count FROM counted RETURNING count`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Returns events in the order of their positions. An event is not returned until it has a position. */
export async function findEventsAfter(db: Db, after: number, limit: number): Promise<StoredEvent[]> {
  const rows = await db
    .selectFrom('events')
    .select([...columns, 'position'])
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, position: Number(row.position) }))
}

/** Returns the ids of those users who are superadmins. */
export async function findSuperadmins(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('user_type', '=', 'superadmin')
    .where('id', 'in', [...ids])
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export async function findLastPosition(db: Db): Promise<number> {
  const { last } = await db.selectFrom('event_positions').select('last').executeTakeFirstOrThrow()
  return Number(last)
}

/**
 * Skips to the current time in milliseconds, which exceeds every position because there are fewer than 1,000 events per
 * second.
 */
export const skipPositions = (db: Db) =>
  sql`UPDATE event_positions SET last = greatest(last + 1, floor(extract(epoch FROM now()) * 1000)::bigint)`.execute(db)

/** Deletes in the order of positions, so that the remaining events have no gaps. */
export async function deleteOldServiceEvents(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM events WHERE seq IN (
    SELECT seq FROM events WHERE position IS NOT NULL AND occurred_at < ${before} ORDER BY position LIMIT ${limit}
    FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
