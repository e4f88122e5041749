import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'
import { isWanted, testEvent } from './delivery-queries.ts'

const countOf = ({ numAffectedRows }: { numAffectedRows?: bigint }): number => Number(numAffectedRows ?? 0n)

const again = (now: Date) => sql`status = 'waiting', attempts = 0, done_at = NULL, next_attempt_at = ${now}`

export const replayOne = async (db: Db, webhookId: string, id: string, now: Date): Promise<number> =>
  countOf(
    await sql`UPDATE webhook_deliveries SET ${again(now)}
      WHERE webhook_id = ${webhookId} AND id = ${id} AND (claimed_until IS NULL OR claimed_until <= ${now})`.execute(
      db,
    ),
  )

export const replayFailed = async (db: Db, webhookId: string, now: Date): Promise<number> =>
  countOf(
    await sql`UPDATE webhook_deliveries SET ${again(now)}
      WHERE webhook_id = ${webhookId} AND status = 'failed'`.execute(db),
  )

interface Span {
  from: Date
  to: Date
  now: Date
  limit: number
}

/** Creates new deliveries for the events in the time span that match the webhook's current patterns. */
export const replaySpan = async (db: Db, webhookId: string, { from, to, now, limit }: Span): Promise<number> =>
  countOf(
    await sql`INSERT INTO webhook_deliveries (id, webhook_id, event_seq, position, target_id, created_at, next_attempt_at)
      SELECT gen_random_uuid(), w.id, e.seq, e.position, e.target_id, ${now}, ${now}
      FROM events e JOIN webhooks w ON w.id = ${webhookId}
      WHERE e.position <= (SELECT position FROM webhook_cursor) AND e.occurred_at >= ${from} AND e.occurred_at < ${to}
        AND e.type <> ${testEvent} AND ${isWanted}
        AND NOT EXISTS (SELECT FROM webhook_deliveries d
          WHERE d.event_seq = e.seq AND d.webhook_id = w.id AND d.status = 'waiting')
      ORDER BY e.position LIMIT ${limit}`.execute(db),
  )
