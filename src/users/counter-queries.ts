import { sql } from 'kysely'
import { runText } from '../db/run-text.ts'
import type { Db } from '../db/tables.ts'

export interface AccountState {
  failures: number
  window_ends_at: Date
  in_a_row: number
  locked_until: Date | null
}

interface FailureCharge {
  now: Date
  windowEnd: Date
  /**
   * The maximum number of checked attempts per window. Further attempts are rejected and do not increase `in_a_row`.
   */
  max: number
}

const charge = `
  INSERT INTO account_counters AS c (key, failures, window_ends_at, in_a_row) VALUES ($1, 1, $3, 1)
  ON CONFLICT (key) DO UPDATE SET
    failures = CASE WHEN c.window_ends_at <= $2 THEN 1 ELSE c.failures + 1 END,
    window_ends_at = CASE WHEN c.window_ends_at <= $2 THEN $3 ELSE c.window_ends_at END,
    in_a_row = CASE
      WHEN c.locked_until IS NOT NULL AND c.locked_until <= $2 THEN 1
      WHEN c.window_ends_at > $2 AND c.failures >= $4 THEN c.in_a_row
      ELSE c.in_a_row + 1 END,
    locked_until = CASE WHEN c.locked_until <= $2 THEN NULL ELSE c.locked_until END
  RETURNING failures, window_ends_at, in_a_row, locked_until`

/** The key of the in-flight counter, which counts attempts that are still being checked. */
const inFlightKey = (key: string): string => `${key}:under-way`

// To prevent deadlocks, all statements here lock the failure counter before the in-flight counter.
const chargeNoted = `
  WITH charged AS (${charge}), noted AS (
    INSERT INTO account_counters AS c (key, failures, window_ends_at, in_a_row)
    SELECT $5::text, 1, $6::timestamptz, 0 FROM charged WHERE failures <= $4 AND locked_until IS NULL
    ON CONFLICT (key) DO UPDATE SET
      failures = CASE WHEN c.window_ends_at > $2 THEN c.failures + 1 ELSE 1 END,
      window_ends_at = excluded.window_ends_at
  ) SELECT * FROM charged`

/**
 * Counts the attempt and, if it is within the limit, also counts it as in flight. An attempt whose process was killed
 * remains in flight until `noteEnd`.
 */
export async function countInFlight(
  db: Db,
  key: string,
  { now, windowEnd, max, noteEnd }: FailureCharge & { noteEnd: Date },
): Promise<AccountState> {
  const values = [key, now, windowEnd, max, inFlightKey(key), noteEnd]
  const [state] = await runText<AccountState>(db, chargeNoted, values)
  if (!state) throw new Error('the account counter gave no row')
  return state
}

export interface FailureCount {
  failures: number
  /** The number of attempts still being checked, some of which may be correct. */
  under_way: number
}

const standing = `
  SELECT coalesce((SELECT failures FROM account_counters WHERE key = $1 AND window_ends_at > $3), 0) AS failures,
    coalesce((SELECT failures FROM account_counters WHERE key = $2 AND window_ends_at > $3), 0) AS under_way`

export async function findFailureCount(db: Db, key: string, now: Date): Promise<FailureCount> {
  const [row] = await runText<FailureCount>(db, standing, [key, inFlightKey(key), now])
  return row ?? { failures: 0, under_way: 0 }
}

const endNote = 'UPDATE account_counters SET failures = greatest(0, failures - 1) WHERE key ='

export const endInFlight = (db: Db, key: string) => runText(db, `${endNote} $1`, [inFlightKey(key)])

/** Uses one statement so that both counters are always consistent. */
export const forgiveAndEndInFlight = (db: Db, key: string) =>
  runText(
    db,
    `WITH forgiven AS (DELETE FROM account_counters WHERE key = $1 RETURNING key)
    ${endNote} $2 AND (SELECT count(*) FROM forgiven) >= 0`,
    [key, inFlightKey(key)],
  )

/** Uses one statement so that each parallel attempt gets a different count. */
export async function chargeFailure(
  db: Db,
  key: string,
  { now, windowEnd, max }: FailureCharge,
): Promise<AccountState> {
  const [state] = await runText<AccountState>(db, charge, [key, now, windowEnd, max])
  if (!state) throw new Error('the account counter gave no row')
  return state
}

/** Caps the count at `max`, and then subtracts the attempt that was not checked. */
export async function returnCharge(db: Db, key: string, max: number): Promise<void> {
  await sql`UPDATE account_counters SET failures = greatest(0, least(failures, ${max}) - 1), in_a_row = greatest(0, in_a_row - 1)
    WHERE key = ${key}`.execute(db)
}

export async function forgiveFailures(db: Db, key: string): Promise<void> {
  await runText(db, 'DELETE FROM account_counters WHERE key = $1', [key])
}

/** Returns true only to the caller that locked the account. */
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
    ORDER BY window_ends_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

/** Returns the counters that have reached the limit in the current window and are not locked. */
export async function findFullKeys(
  db: Db,
  keys: readonly string[],
  { now, max }: Pick<FailureCharge, 'now' | 'max'>,
): Promise<{ key: string; window_ends_at: Date }[]> {
  const { rows } = await sql<{ key: string; window_ends_at: Date }>`SELECT key, window_ends_at FROM account_counters
    WHERE key = ANY(${[...keys]}) AND failures >= ${max} AND window_ends_at > ${now}
      AND (locked_until IS NULL OR locked_until <= ${now})`.execute(db)
  return rows
}

export async function findLockedKeys(
  db: Db,
  keys: readonly string[],
  now: Date,
): Promise<{ key: string; locked_until: Date }[]> {
  const { rows } = await sql<{ key: string; locked_until: Date }>`SELECT key, locked_until FROM account_counters
    WHERE key = ANY(${[...keys]}) AND locked_until > ${now}`.execute(db)
  return rows
}
