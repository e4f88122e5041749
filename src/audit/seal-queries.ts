import { sql } from 'kysely'
import { tryLock } from '../db/advisory-locks.ts'
import type { Db } from '../db/tables.ts'

export interface SealRow {
  number: number
  events: number
  first_time: Date
  digest: string
  key_id: string
  sealed_at: Date
  mac: string
}

export interface RemovedRow {
  number: number
  last_mac: string
  key_id: string
  mac: string
}

const columns = ['number', 'events', 'first_time', 'digest', 'key_id', 'sealed_at', 'mac'] as const

/** Returns false while another transaction is sealing events. Both would otherwise continue from the same seal. */
export const takeSealTurn = (tx: Db): Promise<boolean> => tryLock(tx, 'auditSeals')

export async function findLastSeal(db: Db): Promise<SealRow | undefined> {
  const row = await db.selectFrom('audit_seals').select(columns).orderBy('number', 'desc').limit(1).executeTakeFirst()
  return row && inNumbers(row)
}

/** `newest` is undefined if there are no seals. `unsealed` is undefined if all events are sealed. */
export async function findSealTimes(db: Db): Promise<{ newest: Date | undefined; unsealed: Date | undefined }> {
  const { rows } = await sql<{ newest: Date | null; unsealed: Date | null }>`
    SELECT (SELECT sealed_at FROM audit_seals ORDER BY number DESC LIMIT 1) AS newest,
      (SELECT min(time) FROM audit_events WHERE seal IS NULL) AS unsealed`.execute(db)
  return { newest: rows[0]?.newest ?? undefined, unsealed: rows[0]?.unsealed ?? undefined }
}

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

export const insertSeal = (db: Db, row: SealRow) => db.insertInto('audit_seals').values(row).execute()

export async function findNewestBefore(db: Db, before: Date, keyIds: string[]) {
  const row = await db
    .selectFrom('audit_seals as seal')
    .leftJoin('audit_seals as earlier', (join) => join.on(sql<boolean>`earlier.number = seal.number - 1`))
    .select(columns.map((column) => `seal.${column}` as const))
    .select('earlier.mac as previous')
    .where('seal.sealed_at', '<', before)
    .where('seal.key_id', 'in', keyIds)
    .orderBy('seal.number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && inNumbers(row)
}

export async function deleteSealsTo(db: Db, number: number, limit: number) {
  const { rows } = await sql<{ number: number; mac: string }>`WITH removed AS (
      DELETE FROM audit_seals WHERE number IN (
        SELECT number FROM audit_seals WHERE number <= ${number} ORDER BY number LIMIT ${limit}) RETURNING number, mac)
    SELECT number, mac FROM removed ORDER BY number DESC`.execute(db)
  return { count: rows.length, newest: rows[0] && inNumbers(rows[0]) }
}

export async function findRemoved(db: Db): Promise<RemovedRow | undefined> {
  const row = await db
    .selectFrom('audit_seals_removed')
    .select(['number', 'last_mac', 'key_id', 'mac'])
    .executeTakeFirst()
  return row && inNumbers(row)
}

export const noteRemoved = (db: Db, row: RemovedRow) =>
  db
    .insertInto('audit_seals_removed')
    .values(row)
    .onConflict((conflict) => conflict.column('one').doUpdateSet(row))
    .execute()

/** Finds the first seal after `end` to which an event refers, and counts unsealed events older than `before`. */
export async function findOutside(db: Db, end: number, before: Date) {
  const { rows } = await sql<{ seal: number | null; unsealed: number }>`
    SELECT (SELECT min(seal) FROM audit_events WHERE seal > ${end}) AS seal,
      (SELECT count(*)::integer FROM audit_events WHERE seal IS NULL AND time < ${before}) AS unsealed`.execute(db)
  const { seal = null, unsealed = 0 } = rows[0] ?? {}
  return { seal: seal === null ? undefined : Number(seal), unsealed }
}

// Without a type parser, the driver returns bigint values as strings.
const inNumbers = <Row extends { number: unknown }>(row: Row): Row & { number: number } => ({
  ...row,
  number: Number(row.number),
})
