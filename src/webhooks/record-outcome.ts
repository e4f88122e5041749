import { recordAudit } from '../audit/record.ts'
import type { Context, Transaction } from '../context.ts'
import { transact } from '../db/transact.ts'
import { mailSuperadmins } from '../users/mail-superadmins.ts'
import {
  type Attempt,
  type ClaimedDelivery,
  insertAttempts,
  markDelivered,
  markFailed,
  postponeDelivery,
} from './delivery-queries.ts'
import { clearFailures, lockWebhook, updateWebhook, type WebhookRow } from './queries.ts'
import { maxFailing, pauseAfter, retryDelay } from './retry-schedule.ts'
import type { Outcome } from './send-event.ts'

export interface Attempted {
  delivery: ClaimedDelivery
  outcome: Outcome
}

const attemptOf = ({ delivery, outcome }: Attempted): Attempt => ({
  delivery_id: delivery.delivery_id,
  started_at: outcome.startedAt,
  duration_ms: outcome.durationMs,
  status: outcome.status,
  error: outcome.error,
  response: outcome.response,
})

/**
 * Records many outcomes in one transaction, because a fast receiver accepts events faster than the database commits.
 */
export const recordAccepted = (ctx: Context, accepted: readonly Attempted[]): Promise<void> =>
  transact(ctx, async ({ db, clock }) => {
    await insertAttempts(db, accepted.map(attemptOf))
    const ids = accepted.map(({ delivery }) => delivery.delivery_id)
    await markDelivered(db, ids, clock.date())
    await clearFailures(db, [...new Set(accepted.map(({ delivery }) => delivery.webhook_id))])
  })

/**
 * Schedules the next attempt, pauses the webhook after several failures, and disables it after a 410 response or three
 * days of failures.
 */
export const recordRejected = (ctx: Context, attempted: Attempted): Promise<void> =>
  transact(ctx, async (tx) => {
    const { delivery, outcome } = attempted
    const webhook = await lockWebhook(tx.db, delivery.webhook_id)
    if (!webhook) return
    const now = tx.clock.now()
    await insertAttempts(tx.db, [attemptOf(attempted)])
    const delay = retryDelay(delivery.attempts, Math.random(), outcome.retryAfter)
    if (delay === undefined) await markFailed(tx.db, delivery.delivery_id, new Date(now))
    else await postponeDelivery(tx.db, delivery.delivery_id, new Date(now + delay))
    const failures = webhook.failures + 1
    const failing_since = webhook.failing_since ?? new Date(now)
    const failingMs = now - failing_since.getTime()
    const pause = pauseAfter(failures, failingMs, outcome.retryAfter)
    // Another delivery that failed at the same time may have requested a longer pause.
    const pauseEnd = Math.max(now + pause, webhook.paused_until?.getTime() ?? 0)
    const paused_until = pauseEnd > now ? new Date(pauseEnd) : null
    await updateWebhook(tx.db, webhook.id, { failures, failing_since, paused_until })
    if (outcome.status === 410) await disable(tx, webhook, 'gone')
    else if (failingMs >= maxFailing) await disable(tx, webhook, 'failing')
  })

async function disable(tx: Transaction, webhook: WebhookRow, reason: 'gone' | 'failing'): Promise<void> {
  if (!webhook.is_enabled) return
  await updateWebhook(tx.db, webhook.id, { is_enabled: false, disabled_reason: reason, updated_at: tx.clock.date() })
  const { host } = new URL(webhook.url)
  const details = { webhook: webhook.id, host, reason }
  await recordAudit(tx, { event: 'webhook_disabled', outcome: 'failure', details })
  tx.log.warn(details, 'disabled a webhook because its receiver does not accept events')
  const webhooks_url = `${tx.config.PUBLIC_URL}/admin/webhooks/${webhook.id}`
  await mailSuperadmins(tx, 'webhook_disabled', { host, webhooks_url })
}
