import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/tables.ts'
import type { PageRequest } from '../../lib/paging.ts'

export interface ListedRequest {
  id: string
  kind: 'deletion' | 'export'
  status: 'pending' | 'ready' | 'cancelled'
  user_id: string
  email: string
  reason: string | null
  requested_at: Date
  /** The time at which the user will be deleted or the export expires. */
  due_at: Date
  cancelled_at: Date | null
}

export type RequestState = 'open' | 'closed'

const requests: RawBuilder<ListedRequest> = sql`(
  SELECT r.id, 'deletion' AS kind, r.status, r.user_id, u.email, r.reason, r.requested_at,
    r.scheduled_for AS due_at, r.cancelled_at
  FROM user_deletion_requests r JOIN users u ON u.id = r.user_id
  UNION ALL
  SELECT e.id, 'export', e.status, e.user_id, u.email, NULL, e.requested_at, e.expires_at, NULL
  FROM user_privacy_exports e JOIN users u ON u.id = e.user_id)`

const conditions: Record<RequestState, RawBuilder<boolean>> = {
  open: sql`status <> 'cancelled'`,
  closed: sql`status = 'cancelled'`,
}

/** Sorts open requests by deadline, earliest first, and closed requests by cancellation time, latest first. */
const orders: Record<RequestState, RawBuilder<unknown>> = {
  open: sql`due_at, id`,
  closed: sql`cancelled_at DESC, id`,
}

export async function findRequests(
  db: Db,
  state: RequestState,
  { limit, offset }: Pick<PageRequest, 'limit' | 'offset'>,
): Promise<ListedRequest[]> {
  const { rows } = await sql<ListedRequest>`
    SELECT * FROM ${requests} AS requests WHERE ${conditions[state]} ORDER BY ${orders[state]}
    LIMIT ${limit} OFFSET ${offset}`.execute(db)
  return rows
}

export async function countRequests(db: Db, state: RequestState): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    SELECT count(*) AS count FROM ${requests} AS requests WHERE ${conditions[state]}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}
