import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'

export interface SessionRevocation {
  /** The id of an owner of any kind. */
  user_id: string
  epoch: number
}

export interface RevocationRead {
  /** The server's start time, which changes after a restart or a failover. */
  server: string
  /** A `pg_snapshot` as text. */
  snapshot: string
  /** The database's time in milliseconds. */
  read_at: number
  revocations: SessionRevocation[] | null
}

/**
 * Returns at most `$2` revocations that are not in the snapshot `$1`, and none on the first read. Rows older than an
 * hour are ignored, because they may come from a restored dump and contain another server's transaction ids.
 */
export const readRevocations = `SELECT pg_postmaster_start_time()::text AS server,
  pg_current_snapshot()::text AS snapshot,
  (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS read_at,
  (SELECT json_agg(json_build_object('user_id', found.user_id, 'epoch', found.epoch)) FROM (
    SELECT user_id, epoch FROM session_revocations
    WHERE transaction_id >= pg_snapshot_xmin($1::pg_snapshot)
      AND NOT pg_visible_in_snapshot(transaction_id, $1::pg_snapshot)
      AND revoked_at > now() - interval '1 hour' LIMIT $2
  ) AS found) AS revocations`

export async function deleteOldRevocations(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM session_revocations WHERE ctid IN (
    SELECT ctid FROM session_revocations WHERE revoked_at < ${before} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0n)
}

export const deleteRevocationsOf = async (db: Db, userIds: readonly string[]): Promise<void> => {
  await db.deleteFrom('session_revocations').where('user_id', 'in', userIds).execute()
}
