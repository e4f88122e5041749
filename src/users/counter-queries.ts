import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'

export interface AccountState {
  /** Of the running window, this attempt included. */
  failures: number
  window_ends_at: Date
  in_a_row: number
  locked_until: Date | null
}

interface Charge {
  now: Date
  windowEnd: Date
  /** Attempts that a window evaluates; those beyond are refused unseen and no part of the row of failures. */
  most: number
}

/** Counts one attempt as failed, in one statement: parallel attempts get different numbers. */
export async function chargeFailure(db: Db, key: string, { now, windowEnd, most }: Charge): Promise<AccountState> {
  const { rows } = await sql<AccountState>`
    INSERT INTO account_counters AS c (key, failures, window_ends_at, in_a_row) VALUES (${key}, 1, ${windowEnd}, 1)
    ON CONFLICT (key) DO UPDATE SET
      failures = CASE WHEN c.window_ends_at <= ${now} THEN 1 ELSE c.failures + 1 END,
      window_ends_at = CASE WHEN c.window_ends_at <= ${now} THEN ${windowEnd} ELSE c.window_ends_at END,
      in_a_row = CASE
        WHEN c.locked_until IS NOT NULL AND c.locked_until <= ${now} THEN 1
        WHEN c.window_ends_at > ${now} AND c.failures >= ${most} THEN c.in_a_row
        ELSE c.in_a_row + 1 END,
      locked_until = CASE WHEN c.locked_until <= ${now} THEN NULL ELSE c.locked_until END
    RETURNING failures, window_ends_at, in_a_row, locked_until`.execute(db)
  const state = rows[0]
  if (!state) throw new Error('the account counter gave no row')
  return state
}

/** Takes one attempt back that was charged and then not looked at. */
export async function returnCharge(db: Db, key: string): Promise<void> {
  await sql`UPDATE account_counters SET failures = greatest(0, failures - 1), in_a_row = greatest(0, in_a_row - 1)
    WHERE key = ${key}`.execute(db)
}

export async function forgiveFailures(db: Db, key: string): Promise<void> {
  await sql`DELETE FROM account_counters WHERE key = ${key}`.execute(db)
}

/** True for the one caller that locked it. */
export async function lockAccount(db: Db, key: string, until: Date): Promise<boolean> {
  const row = await db
    .updateTable('account_counters')
    .set({ locked_until: until })
    .where('key', '=', key)
    .where('locked_until', 'is', null)
    .returning('key')
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteIdleCounters(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM account_counters WHERE key IN (
    SELECT key FROM account_counters WHERE window_ends_at < ${before} AND (locked_until IS NULL OR locked_until < ${before})
    LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
