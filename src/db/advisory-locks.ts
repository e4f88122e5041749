import { sql } from 'kysely'
import type { Client } from 'pg'
import type { Db } from './tables.ts'

const firstNumber = 7236489015

// A name's position determines its lock number. Only append names, because nodes of the previous version use the same
// numbers during an upgrade.
const names = [
  'migrations',
  'jobQueue',
  'lastSuperadmin',
  'hubTables',
  'moduleRun',
  'auditSeals',
  'restore',
  'settings',
  'activity',
  'webhooks',
  'applications',
  'permissions',
  'oauthResources',
  'oauthKeys',
] as const

export type AdvisoryLock = (typeof names)[number]

export const lockNumber = (name: AdvisoryLock): number => firstNumber + names.indexOf(name)

export const waitForLock = (tx: Db, name: AdvisoryLock) =>
  sql`SELECT pg_advisory_xact_lock(${sql.lit(lockNumber(name))})`.execute(tx)

/** Waits only for transactions that hold the lock alone, and lets others share it. */
export const waitForSharedLock = (tx: Db, name: AdvisoryLock) =>
  sql`SELECT pg_advisory_xact_lock_shared(${sql.lit(lockNumber(name))})`.execute(tx)

export async function tryLock(tx: Db, name: AdvisoryLock): Promise<boolean> {
  const number = sql.lit(lockNumber(name))
  const { rows } = await sql<{ taken: boolean }>`SELECT pg_try_advisory_xact_lock(${number}) AS taken`.execute(tx)
  return rows[0]?.taken === true
}

export const waitForSessionLock = (connection: Client, name: AdvisoryLock) =>
  connection.query('SELECT pg_advisory_lock($1)', [lockNumber(name)])
