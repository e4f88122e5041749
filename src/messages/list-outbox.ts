import type { Context } from '../context.ts'
import { maskEmail, maskPhone } from '../lib/contact.ts'
import { pageOf, paginationOf, reachable } from '../lib/paging.ts'
import { iso } from '../lib/time.ts'
import { type MailPayload, openPayload } from '../outbox/enqueue.ts'
import {
  countMessages,
  type DeliveryState,
  findDeliveries,
  findMessages,
  type ListedMessage,
  type MessageState,
} from './outbox-queries.ts'

export interface OutboxQuery {
  state?: MessageState
  channel?: 'mail' | 'sms' | 'task'
  message?: string
  page?: number
  limit?: number
}

/** The result contains neither message content nor complete email addresses or phone numbers. */
export async function listOutbox(ctx: Context, { state, channel, message, ...paging }: OutboxQuery) {
  const page = pageOf(paging)
  const filter = { state, channel, message }
  const total = await countMessages(ctx.db, filter, reachable)
  const rows = total > page.offset ? await findMessages(ctx.db, filter, page) : []
  const undone = rows.filter(({ done_at }) => done_at === null).map(({ id }) => id)
  const deliveries = await findDeliveries(ctx.db, undone)
  return {
    messages: rows.map((row) => shownMessage(ctx, row, deliveries.get(row.id))),
    pagination: paginationOf(page, total),
  }
}

function shownMessage(ctx: Context, row: ListedMessage, delivery: DeliveryState | undefined) {
  const state = stateOf(row, delivery)
  const isExpired = row.expires_at !== null && row.expires_at <= ctx.clock.date()
  const isWaiting = state === 'queued' && row.attempts > 0
  return {
    id: row.id,
    channel: row.channel,
    message: row.message,
    state,
    recipient: recipientOf(ctx, row),
    reason: row.last_error ?? (state === 'dropped' ? 'its link or code has expired' : null),
    attempts: row.attempts,
    created_at: iso(row.created_at),
    next_attempt_at: state === 'queued' && delivery ? iso(delivery.next) : null,
    done_at: row.done_at && iso(row.done_at),
    expires_at: row.expires_at && iso(row.expires_at),
    retryable: !isExpired && ((state === 'failed' && row.payload !== null) || isWaiting),
  }
}

function stateOf({ status }: ListedMessage, delivery: DeliveryState | undefined): MessageState {
  if (status === 'expired') return 'dropped'
  if (status === 'sent' || status === 'failed') return status
  return delivery?.isActive ? 'sending' : 'queued'
}

/** The recipient is part of the payload, which is erased after delivery. */
function recipientOf(ctx: Context, { channel, payload }: ListedMessage): string | null {
  if (channel === 'task' || payload === null) return null
  try {
    const { to } = openPayload<MailPayload>(ctx, payload)
    return channel === 'mail' ? maskEmail(to) : maskPhone(to)
  } catch {
    // The key is missing or the row is damaged. The list must still show the message.
    return null
  }
}
