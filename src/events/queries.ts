import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../db/tables.ts'

const columns = ['id', 'type', 'occurred_at', 'data'] as const

export type StoredEvent = Pick<Selectable<Tables['events']>, (typeof columns)[number]> & { position: number }

export const insertServiceEvents = (db: Db, rows: Insertable<Tables['events']>[]) =>
  db.insertInto('events').values(rows).execute()

export const hasUnpositioned = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('events').select('seq').where('position', 'is', null).limit(1).executeTakeFirst()) !== undefined

/** One transaction at a time assigns positions. The next statement sees all that the previous one committed. */
export async function lockLastPosition(db: Db): Promise<number> {
  const row = await db.selectFrom('event_positions').select('last').forUpdate().executeTakeFirstOrThrow()
  return Number(row.last)
}

/**
 * Returns the number of events. `seq` has the order of the inserts. Changes of one user lock that user, so a later
 * change inserts after the commit of an earlier one.
 */
export async function assignPositions(db: Db, last: number, limit: number): Promise<number> {
  const result = await sql`UPDATE events SET position = ${last}::bigint + numbered.place
    FROM (
      SELECT seq, row_number() OVER (ORDER BY seq) AS place
      FROM (SELECT seq FROM events WHERE position IS NULL ORDER BY seq LIMIT ${limit}) waiting
    ) numbered WHERE events.seq = numbered.seq`.execute(db)
  const count = Number(result.numAffectedRows ?? 0n)
  if (count > 0)
    await db
      .updateTable('event_positions')
      .set({ last: last + count })
      .execute()
  return count
}

export async function findAfter(db: Db, after: number, limit: number): Promise<StoredEvent[]> {
  const rows = await db
    .selectFrom('events')
    .select([...columns, 'position'])
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, position: Number(row.position) }))
}

/** The first and last position, or undefined if there is no event. */
export async function findRange(db: Db): Promise<{ first: number | undefined; last: number }> {
  const first = await db
    .selectFrom('events')
    .select('position')
    .where('position', 'is not', null)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  const { last } = await db.selectFrom('event_positions').select('last').executeTakeFirstOrThrow()
  return { first: first ? Number(first.position) : undefined, last: Number(last) }
}

/** Deletes in the order of the positions, so that what remains has no gap. */
export async function deleteOldServiceEvents(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM events WHERE seq IN (
    SELECT seq FROM events WHERE occurred_at < ${before} AND position IS NOT NULL ORDER BY position LIMIT ${limit}
    FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
