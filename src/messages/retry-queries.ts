import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'

export interface RetriedMessage {
  id: string
  message: string
}

export interface RetryFilter {
  ids?: readonly string[] | undefined
  message?: string
}

/** A job has its message's id, so the finished job is deleted to free the id. Skips messages with an unfinished job. */
export async function requeueFailed(
  db: Db,
  { ids, message }: RetryFilter,
  now: Date,
  limit: number,
): Promise<RetriedMessage[]> {
  const { rows } = await sql<RetriedMessage>`
    WITH due AS (
      SELECT id FROM outbox WHERE status = 'failed' AND payload IS NOT NULL
        AND (expires_at IS NULL OR expires_at > ${now}::timestamptz)
        AND (${ids === undefined} OR id = ANY(${[...(ids ?? [])]}::uuid[]))
        AND (${message === undefined} OR message = ${message ?? ''})
        AND NOT EXISTS (SELECT FROM jobs.job WHERE name = 'deliver' AND job.id = outbox.id AND state < 'completed')
      ORDER BY created_at, id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
    ), finished AS (
      DELETE FROM jobs.job WHERE name = 'deliver' AND id IN (SELECT id FROM due)
    )
    UPDATE outbox SET status = 'pending', done_at = NULL WHERE id IN (SELECT id FROM due)
    RETURNING id, message`.execute(db)
  return rows
}

/** Makes the next attempt due now. No attempt is added, so the message is not sent twice. */
export async function hurryQueued(db: Db, id: string, now: Date): Promise<RetriedMessage | undefined> {
  const { rows } = await sql<RetriedMessage>`
    WITH waiting AS (
      SELECT id, message FROM outbox WHERE id = ${id}::uuid AND status = 'queued'
        AND (expires_at IS NULL OR expires_at > ${now}::timestamptz)
    ), hurried AS (
      UPDATE jobs.job SET start_after = jobs.job_now()
      WHERE name = 'deliver' AND state < 'active' AND start_after > clock_timestamp()
        AND data->>'id' IN (SELECT id::text FROM waiting)
      RETURNING data->>'id' AS id
    )
    SELECT waiting.id, message FROM waiting JOIN hurried ON hurried.id = waiting.id::text`.execute(db)
  return rows[0]
}
