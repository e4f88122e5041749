import { sql } from 'kysely'
import type { Client } from 'pg'
import type { Db } from './tables.ts'

const firstNumber = 7236489015

/**
 * Every advisory lock of the service. The place in the list makes the number, so no two locks share one. Append only:
 * nodes of the previous version use the same numbers during a rolling upgrade.
 *
 * `moduleRun` and `auditSeals` shared the numbers of `lastSuperadmin` and `hubTables` in earlier versions. Between
 * versions, the row in `module_hub_locks` and a look at the old number keep module runs apart, and the primary key of `audit_seals` keeps the chain whole.
 */
const names = ['migrations', 'jobQueue', 'lastSuperadmin', 'hubTables', 'moduleRun', 'auditSeals'] as const

export type AdvisoryLock = (typeof names)[number]

export const lockNumber = (name: AdvisoryLock): number => firstNumber + names.indexOf(name)

/** Waits within the limits of the connection. Held until the transaction ends. */
export const waitForLock = (tx: Db, name: AdvisoryLock) =>
  sql`SELECT pg_advisory_xact_lock(${sql.lit(lockNumber(name))})`.execute(tx)

/** Held until the transaction ends; false if another transaction holds it. */
export async function tryLock(tx: Db, name: AdvisoryLock): Promise<boolean> {
  const number = sql.lit(lockNumber(name))
  const { rows } = await sql<{ taken: boolean }>`SELECT pg_try_advisory_xact_lock(${number}) AS taken`.execute(tx)
  return rows[0]?.taken === true
}

export async function isFree(tx: Db, name: AdvisoryLock): Promise<boolean> {
  const number = sql.lit(lockNumber(name))
  const { rows } = await sql<{ free: boolean }>`SELECT CASE WHEN pg_try_advisory_lock(${number})
    THEN pg_advisory_unlock(${number}) ELSE false END AS free`.execute(tx)
  return rows[0]?.free === true
}

/** Held until the connection ends. */
export const waitForSessionLock = (connection: Client, name: AdvisoryLock) =>
  connection.query('SELECT pg_advisory_lock($1)', [lockNumber(name)])
