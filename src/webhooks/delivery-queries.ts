import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'
import type { StoredEvent } from '../events/queries.ts'
import { isWanted } from './queries.ts'

export interface ClaimedDelivery extends StoredEvent {
  delivery_id: string
  webhook_id: string
  attempts: number
}

/**
 * Claims deliveries that are due. A delivery waits for all earlier ones of the same user. Deliveries that other nodes
 * are claiming are skipped.
 */
export async function claimDeliveries(
  db: Db,
  webhookId: string,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedDelivery>`
    WITH due AS MATERIALIZED (
      SELECT d.id FROM webhook_deliveries d
      WHERE d.webhook_id = ${webhookId} AND d.status = 'pending' AND d.next_attempt_at <= ${now}
        AND (d.claimed_until IS NULL OR d.claimed_until <= ${now})
        AND NOT EXISTS (
          SELECT 1 FROM webhook_deliveries o
          WHERE o.webhook_id = d.webhook_id AND o.user_id = d.user_id AND o.status = 'pending'
            AND o.position < d.position)
      ORDER BY d.position LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE webhook_deliveries d SET claimed_until = ${until}, attempts = d.attempts + 1
      FROM due WHERE d.id = due.id RETURNING d.id, d.webhook_id, d.position, d.attempts
    )
    SELECT c.id AS delivery_id, c.webhook_id, c.attempts, e.id, e.type, e.occurred_at, e.data, e.position
    FROM claimed c JOIN events e ON e.position = c.position ORDER BY e.position`.execute(db)
  return rows
}

export interface Attempt {
  delivery_id: string
  attempt: number
  started_at: Date
  duration_ms: number
  status: number | null
  error: string | null
  response: string | null
}

interface Outcome {
  status: 'pending' | 'delivered' | 'failed'
  nextAttemptAt: Date | null
  now: Date
}

export const insertAttempts = (db: Db, attempts: readonly Attempt[]) =>
  db
    .insertInto('webhook_attempts')
    .values([...attempts])
    .onConflict((on) => on.doNothing())
    .execute()

/** Undefined if another node has finished the delivery, because the claim had run out. */
export async function finishDeliveries(db: Db, ids: readonly string[], { status, nextAttemptAt, now }: Outcome) {
  await sql`UPDATE webhook_deliveries SET status = ${status}, claimed_until = NULL,
      next_attempt_at = coalesce(${nextAttemptAt}::timestamptz, next_attempt_at),
      done_at = CASE WHEN ${status}::text = 'pending' THEN NULL ELSE ${now}::timestamptz END
    WHERE id = ANY(${[...ids]}::uuid[]) AND status = 'pending'`.execute(db)
}

/** A delivery that is under way is not changed. Returns the number of deliveries that are made again. */
export async function replayFailed(db: Db, webhookId: string, now: Date): Promise<number> {
  const result = await sql`UPDATE webhook_deliveries SET status = 'pending', attempts = 0, done_at = NULL,
      next_attempt_at = ${now} WHERE webhook_id = ${webhookId} AND status = 'failed'`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

/** New deliveries of events that match the webhook's patterns now. */
export async function replaySpan(
  db: Db,
  webhookId: string,
  { from, to, now, limit }: { from: Date; to: Date; now: Date; limit: number },
): Promise<number> {
  const result = await sql`INSERT INTO webhook_deliveries (id, webhook_id, position, user_id, created_at, next_attempt_at)
    SELECT gen_random_uuid(), w.id, e.position, e.user_id, ${now}, ${now}
    FROM events e JOIN webhooks w ON w.id = ${webhookId}
    WHERE e.position IS NOT NULL AND e.occurred_at >= ${from} AND e.occurred_at < ${to} AND e.type <> 'webhook.test'
      AND ${isWanted}
      AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.position = e.position
        AND d.status = 'pending')
    ORDER BY e.position LIMIT ${limit}`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

export async function replayOne(db: Db, webhookId: string, deliveryId: string, now: Date): Promise<number> {
  const result = await sql`UPDATE webhook_deliveries SET status = 'pending', attempts = 0, done_at = NULL,
      next_attempt_at = ${now}
    WHERE webhook_id = ${webhookId} AND id = ${deliveryId} AND status <> 'pending'`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

export async function deleteOldDeliveries(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM webhook_deliveries WHERE id IN (
    SELECT id FROM webhook_deliveries WHERE created_at < ${before} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
