import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'

export interface SealRow {
  number: number
  events: number
  first_time: Date
  digest: string
  key_id: string
  mac: string
}

const columns = ['number', 'events', 'first_time', 'digest', 'key_id', 'mac'] as const

/** False while somebody else seals: two who did would both continue the same chain. */
export async function takeSealTurn(db: Db): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`SELECT pg_try_advisory_xact_lock(7236489018) AS taken`.execute(db)
  return rows[0]?.taken === true
}

export async function findLastSeal(db: Db): Promise<SealRow | undefined> {
  const row = await db.selectFrom('audit_seals').select(columns).orderBy('number', 'desc').limit(1).executeTakeFirst()
  return row && inNumbers(row)
}

/** Seals from a number on, in their order. */
export async function findSeals(db: Db, from: number, limit: number): Promise<SealRow[]> {
  const rows = await db
    .selectFrom('audit_seals')
    .select(columns)
    .where('number', '>=', from)
    .orderBy('number')
    .limit(limit)
    .execute()
  return rows.map(inNumbers)
}

/** The oldest events without a seal go under this one. */
export async function markSealed(db: Db, seal: number, limit: number): Promise<{ events: number; first: Date | null }> {
  const { rows } = await sql<{ events: number; first: Date | null }>`WITH sealed AS (
      UPDATE audit_events SET seal = ${seal} WHERE id IN (
        SELECT id FROM audit_events WHERE seal IS NULL ORDER BY time LIMIT ${limit}) RETURNING time)
    SELECT count(*)::integer AS events, min(time) AS first FROM sealed`.execute(db)
  return rows[0] ?? { events: 0, first: null }
}

export async function digestOf(db: Db, seal: number): Promise<{ events: number; digest: string }> {
  const { rows } = await sql<{ events: number; digest: string }>`
    SELECT (SELECT count(*)::integer FROM audit_events WHERE seal = ${seal}) AS events, audit_digest(${seal}) AS digest`.execute(
    db,
  )
  return rows[0] ?? { events: 0, digest: '' }
}

export const insertSeal = (db: Db, row: SealRow & { sealed_at: Date }) =>
  db.insertInto('audit_seals').values(row).execute()

/** Seals whose events are long gone. The chain then begins with the oldest that is left. */
export async function deleteOldSeals(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM audit_seals WHERE number IN (
    SELECT number FROM audit_seals WHERE sealed_at < ${before} ORDER BY number LIMIT ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

// What the driver gives for bigint depends on the driver.
const inNumbers = <Row extends { number: unknown }>(row: Row): Row & { number: number } => ({
  ...row,
  number: Number(row.number),
})
