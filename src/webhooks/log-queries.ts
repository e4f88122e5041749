import { type Selectable, sql } from 'kysely'
import type { DeliveryStatus } from '../db/rows/webhooks.ts'
import type { Db, Tables } from '../db/tables.ts'
import type { StoredEvent } from '../events/queries.ts'

export interface ListedDelivery {
  id: string
  event_id: string
  type: string
  status: DeliveryStatus
  attempts: number
  created_at: Date
  next_attempt_at: Date
  done_at: Date | null
  /** The status of the last attempt. */
  last_status: number | null
  last_error: string | null
}

interface LogPage {
  webhookId: string
  status: DeliveryStatus | undefined
  limit: number
  offset: number
}

/** Returns the newest deliveries first. */
export async function findListedDeliveries(
  db: Db,
  { webhookId, status, limit, offset }: LogPage,
): Promise<ListedDelivery[]> {
  const { rows } = await sql<ListedDelivery>`
    SELECT d.id, e.id AS event_id, e.type, d.status, d.attempts, d.created_at, d.next_attempt_at, d.done_at,
      a.status AS last_status, a.error AS last_error
    FROM (SELECT * FROM webhook_deliveries WHERE webhook_id = ${webhookId} ${hasStatus(status)}
      ORDER BY created_at DESC, position DESC, id DESC LIMIT ${limit} OFFSET ${offset}) AS d
    JOIN events e ON e.seq = d.event_seq
    LEFT JOIN LATERAL (SELECT status, error FROM webhook_attempts WHERE delivery_id = d.id ORDER BY id DESC LIMIT 1) AS a
      ON true
    ORDER BY d.created_at DESC, d.position DESC, d.id DESC`.execute(db)
  return rows
}

export async function countListed(db: Db, { webhookId, status }: Pick<LogPage, 'webhookId' | 'status'>, max: number) {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM (
    SELECT FROM webhook_deliveries WHERE webhook_id = ${webhookId} ${hasStatus(status)} LIMIT ${max}) AS matching`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

const hasStatus = (status: DeliveryStatus | undefined) => (status ? sql`AND status = ${status}` : sql``)

export type DeliveryOfEvent = Pick<
  ListedDelivery,
  'status' | 'attempts' | 'created_at' | 'next_attempt_at' | 'done_at'
> &
  StoredEvent & { delivery_id: string }

export async function findDelivery(db: Db, webhookId: string, id: string): Promise<DeliveryOfEvent | undefined> {
  const { rows } = await sql<DeliveryOfEvent>`
    SELECT d.id AS delivery_id, d.status, d.attempts, d.created_at, d.next_attempt_at, d.done_at, e.id, e.type, e.version,
      e.occurred_at, e.target_id, e.data, e.position
    FROM webhook_deliveries d JOIN events e ON e.seq = d.event_seq
    WHERE d.webhook_id = ${webhookId} AND d.id = ${id}`.execute(db)
  return rows[0]
}

const shownAttempts = 50

/** The last 50 attempts, newest first. */
export const findAttempts = (db: Db, deliveryId: string): Promise<Selectable<Tables['webhook_attempts']>[]> =>
  db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .orderBy('id', 'desc')
    .limit(shownAttempts)
    .execute()
