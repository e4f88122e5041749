import type { Context } from '../context.ts'
import type { DeliveryStatus } from '../db/rows/webhooks.ts'
import { shownEvent } from '../events/read-events.ts'
import { AppError } from '../lib/errors.ts'
import { looksLikeId } from '../lib/ids.ts'
import { pageOf, paginationOf, reachable } from '../lib/paging.ts'
import { iso } from '../lib/time.ts'
import { countListed, findAttempts, findDelivery, findListedDeliveries } from './log-queries.ts'
import { findWebhook } from './queries.ts'

interface DeliveriesQuery {
  status?: DeliveryStatus
  page?: number
  limit?: number
}

export async function listDeliveries({ db }: Context, id: string, { status, ...paging }: DeliveriesQuery) {
  if (!looksLikeId(id) || !(await findWebhook(db, id))) throw new AppError('NOT_FOUND')
  const page = pageOf(paging)
  const filter = { webhookId: id, status }
  const total = await countListed(db, filter, reachable)
  const rows = total > page.offset ? await findListedDeliveries(db, { ...filter, ...page }) : []
  return {
    deliveries: rows.map(({ created_at, next_attempt_at, done_at, ...row }) => ({
      ...row,
      created_at: iso(created_at),
      next_attempt_at: row.status === 'waiting' ? iso(next_attempt_at) : null,
      done_at: done_at && iso(done_at),
    })),
    pagination: paginationOf(page, total),
  }
}

export async function getDelivery({ db }: Context, webhookId: string, id: string) {
  const found = looksLikeId(webhookId) && looksLikeId(id) ? await findDelivery(db, webhookId, id) : undefined
  if (!found) throw new AppError('NOT_FOUND')
  const { delivery_id, status, attempts, created_at, next_attempt_at, done_at, ...event } = found
  return {
    id: delivery_id,
    status,
    attempts,
    created_at: iso(created_at),
    next_attempt_at: status === 'waiting' ? iso(next_attempt_at) : null,
    done_at: done_at && iso(done_at),
    event: shownEvent(event),
    log: (await findAttempts(db, delivery_id)).map((attempt) => ({
      started_at: iso(attempt.started_at),
      duration_ms: attempt.duration_ms,
      status: attempt.status,
      error: attempt.error,
      response: attempt.response,
    })),
  }
}
