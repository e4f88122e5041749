import { type Insertable, sql } from 'kysely'
import type { Db, Tables } from '../db/tables.ts'
import type { StoredEvent } from '../events/queries.ts'

export const testEvent = 'webhook.test'

/** Whether a pattern of the webhook `w` matches the event `e`. A test event matches only one webhook. */
export const isWanted = sql<boolean>`CASE e.type WHEN ${sql.lit(testEvent)} THEN e.data->>'webhook_id' = w.id::text
  ELSE EXISTS (SELECT FROM unnest(w.events) AS pattern WHERE pattern = '*' OR pattern = e.type
    OR (right(pattern, 2) = '.*' AND starts_with(e.type, left(pattern, -1)))) END`

export async function hasNewEvents(db: Db): Promise<boolean> {
  const { rows } = await sql`SELECT FROM webhook_cursor, event_positions WHERE last > position`.execute(db)
  return rows.length > 0
}

/** Returns undefined if another transaction is creating deliveries. */
export async function lockCursor(tx: Db): Promise<number | undefined> {
  const row = await tx.selectFrom('webhook_cursor').select('position').forUpdate().skipLocked().executeTakeFirst()
  return row && Number(row.position)
}

/** Creates the deliveries of up to `limit` events. Returns the number of events. */
export async function insertDeliveries(tx: Db, after: number, limit: number, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    WITH e AS MATERIALIZED (
      SELECT seq, position, target_id, type, data FROM events WHERE position > ${after} ORDER BY position LIMIT ${limit}
    ), added AS (
      INSERT INTO webhook_deliveries (id, webhook_id, event_seq, position, target_id, created_at, next_attempt_at)
      SELECT gen_random_uuid(), w.id, e.seq, e.position, e.target_id, ${now}, ${now}
      FROM e JOIN webhooks w ON w.is_enabled AND ${isWanted}
    ), last AS (SELECT max(position) AS position, count(*)::int AS count FROM e)
    UPDATE webhook_cursor SET position = coalesce(last.position, webhook_cursor.position) FROM last
    RETURNING last.count`.execute(tx)
  return rows[0]?.count ?? 0
}

export interface ClaimedDelivery extends StoredEvent {
  delivery_id: string
  webhook_id: string
  /** The number of attempts, including this one. */
  attempts: number
}

interface Claim {
  now: Date
  until: Date
  limit: number
}

/**
 * Claims due deliveries. Skips deliveries that must wait for an earlier delivery about the same user, and deliveries
 * that other nodes have claimed. Webhook ids are compared as text so that PostgreSQL uses the index on `target_id` even
 * if the table's statistics are out of date.
 */
export async function claimDeliveries(
  db: Db,
  webhookId: string,
  { now, until, limit }: Claim,
): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedDelivery>`
    WITH due AS MATERIALIZED (
      SELECT d.id FROM webhook_deliveries d
      WHERE d.webhook_id = ${webhookId} AND d.status = 'waiting' AND d.next_attempt_at <= ${now}
        AND (d.claimed_until IS NULL OR d.claimed_until <= ${now})
        AND NOT EXISTS (
          SELECT FROM webhook_deliveries earlier
          WHERE earlier.target_id = d.target_id AND earlier.position < d.position AND earlier.status = 'waiting'
            AND earlier.webhook_id::text = d.webhook_id::text)
      ORDER BY d.position LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE webhook_deliveries d SET claimed_until = ${until}, attempts = d.attempts + 1
      FROM due WHERE d.id = due.id RETURNING d.id, d.webhook_id, d.event_seq, d.attempts
    )
    SELECT c.id AS delivery_id, c.webhook_id, c.attempts, e.id, e.type, e.version, e.occurred_at, e.target_id, e.data,
      e.position
    FROM claimed c JOIN events e ON e.seq = c.event_seq ORDER BY e.position`.execute(db)
  return rows
}

export type Attempt = Insertable<Tables['webhook_attempts']>

export const insertAttempts = (db: Db, attempts: readonly Attempt[]) =>
  db
    .insertInto('webhook_attempts')
    .values([...attempts])
    .execute()

export const markDelivered = (db: Db, ids: readonly string[], now: Date) =>
  db
    .updateTable('webhook_deliveries')
    .set({ status: 'delivered', claimed_until: null, done_at: now })
    .where('id', 'in', [...ids])
    .where('status', '=', 'waiting')
    .execute()

export const postponeDelivery = (db: Db, id: string, until: Date) =>
  db
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: until, claimed_until: null })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .execute()

export const markFailed = (db: Db, id: string, now: Date) =>
  db
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', claimed_until: null, done_at: now })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .execute()
