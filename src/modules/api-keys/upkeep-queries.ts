import { sql } from 'kysely'
import type { Db } from '../../db/tables.ts'
import type { RaisedKey } from './key-queries.ts'

export interface DueKey extends RaisedKey {
  user_id: string | null
  service_account_id: string | null
  name: string
  hint: string
  ends_at: Date
  replaced_by: string | null
}

/** Marks keys whose end has passed as ended. Of two nodes, only one marks a key. */
export async function expireKeys(db: Db, now: Date, limit: number): Promise<DueKey[]> {
  const { rows } = await sql<DueKey>`UPDATE api_keys SET ended_at = ends_at,
      end_reason = CASE WHEN replaced_by IS NULL THEN 'expired' ELSE 'rotated' END
    WHERE id IN (SELECT id FROM api_keys WHERE ended_at IS NULL AND ends_at <= ${now}
      ORDER BY ends_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING id, epoch, user_id, service_account_id, name, hint, ends_at, replaced_by`.execute(db)
  return rows.map((row) => ({ ...row, epoch: Number(row.epoch) }))
}

/**
 * Marks keys that end within this number of days as announced. Keys that were created about as many days before their
 * end are not announced, and neither are keys that were replaced.
 */
export async function markReminded(db: Db, days: number, now: Date, limit: number): Promise<DueKey[]> {
  const { rows } = await sql<DueKey>`UPDATE api_keys SET reminded_days = ${days}
    WHERE id IN (SELECT id FROM api_keys WHERE ended_at IS NULL AND replaced_by IS NULL AND ends_at > ${now}
        AND ends_at <= ${now}::timestamptz + ${days} * interval '1 day'
        AND created_at < ends_at - ${days} * interval '1 day' - interval '1 hour'
        AND (reminded_days IS NULL OR reminded_days > ${days})
      ORDER BY ends_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING id, epoch, user_id, service_account_id, name, hint, ends_at, replaced_by`.execute(db)
  return rows
}

export async function eraseEndedKeys(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM api_keys WHERE id IN (SELECT id FROM api_keys WHERE ended_at <= ${before}
    ORDER BY ended_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

export async function eraseOldUses(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM api_key_uses WHERE ctid IN (SELECT ctid FROM api_key_uses
    WHERE day < (${before}::timestamptz AT TIME ZONE 'UTC')::date ORDER BY day LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0n)
}

/** Their keys ended when they were deleted, so they are erased as well. */
export async function eraseDeletedAccounts(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM service_accounts WHERE id IN (SELECT id FROM service_accounts
    WHERE deleted_at <= ${before} ORDER BY deleted_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
