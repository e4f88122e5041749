import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'
import type { PageRequest } from '../lib/paging.ts'

export type MessageState = 'queued' | 'sending' | 'sent' | 'failed' | 'dropped'

export interface OutboxFilter {
  state: MessageState | undefined
  channel: 'mail' | 'sms' | 'task' | undefined
  message: string | undefined
}

export interface ListedMessage {
  id: string
  channel: 'mail' | 'sms' | 'task'
  message: string
  payload: string | null
  status: 'pending' | 'queued' | 'sent' | 'failed' | 'expired'
  attempts: number
  created_at: Date
  expires_at: Date | null
  done_at: Date | null
  last_error: string | null
}

const columns = [
  'id',
  'channel',
  'message',
  'payload',
  'status',
  'attempts',
  'created_at',
  'expires_at',
  'done_at',
  'last_error',
] as const

export const findMessages = (db: Db, filter: OutboxFilter, { limit, offset }: PageRequest): Promise<ListedMessage[]> =>
  db
    .selectFrom('outbox')
    .select(columns)
    .where(matches(filter))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export async function countMessages(db: Db, filter: OutboxFilter, max: number): Promise<number> {
  const row = await db
    .selectFrom((from) => from.selectFrom('outbox').select('id').where(matches(filter)).limit(max).as('matching'))
    .select((build) => build.fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

export interface DeliveryState {
  id: string
  isActive: boolean
  next: Date
}

export async function findDeliveries(db: Db, ids: readonly string[]): Promise<Map<string, DeliveryState>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<DeliveryState>`
    SELECT data->>'id' AS id, state = 'active' AS "isActive", start_after AS next FROM jobs.job
    WHERE name = 'deliver' AND state < 'completed' AND data->>'id' = ANY(${[...ids]}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

const active = sql`(SELECT (data->>'id')::uuid FROM jobs.job WHERE name = 'deliver' AND state = 'active')`

const conditions: Record<MessageState, ReturnType<typeof sql<boolean>>> = {
  queued: sql<boolean>`(status IN ('pending', 'queued') AND id NOT IN ${active})`,
  sending: sql<boolean>`(status IN ('pending', 'queued') AND id IN ${active})`,
  sent: sql<boolean>`status = 'sent'`,
  failed: sql<boolean>`status = 'failed'`,
  dropped: sql<boolean>`status = 'expired'`,
}

function matches({ state, channel, message }: OutboxFilter) {
  const all = [
    state && conditions[state],
    channel !== undefined && sql<boolean>`channel = ${channel}`,
    message !== undefined && sql<boolean>`message = ${message}`,
  ].filter((one) => typeof one === 'object')
  return all.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(all, sql` AND `)}`
}

export async function messageExists(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('outbox').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}
