import { recordAudit } from '../audit/record.ts'
import type { Context, Transaction } from '../context.ts'
import { transact } from '../db/transact.ts'
import { enqueueMail, greetedName } from '../outbox/enqueue.ts'
import { findSuperadmins } from '../users/queries.ts'
import { type Attempt, type ClaimedDelivery, finishDeliveries, insertAttempts } from './delivery-queries.ts'
import { lockWebhook, updateWebhook, type WebhookRow } from './queries.ts'
import { maxFailing, pauseAfter, retryDelay } from './retry-schedule.ts'
import type { Answer } from './send-event.ts'

export const attemptOf = ({ clock }: Context, delivery: ClaimedDelivery, answer: Answer): Attempt => ({
  delivery_id: delivery.delivery_id,
  attempt: delivery.attempts,
  started_at: new Date(clock.now() - answer.durationMs),
  duration_ms: answer.durationMs,
  status: answer.status,
  error: answer.error,
  response: answer.response,
})

/** Many deliveries at once, because a fast receiver accepts more events than the database commits transactions. */
export const recordAccepted = (ctx: Context, attempts: readonly Attempt[], webhookIds: ReadonlySet<string>) =>
  transact(ctx, async ({ db, clock }) => {
    const ids = attempts.map(({ delivery_id }) => delivery_id)
    await insertAttempts(db, attempts)
    await finishDeliveries(db, ids, { status: 'delivered', nextAttemptAt: null, now: clock.date() })
    for (const id of webhookIds) await updateWebhook(db, id, { failures: 0, failing_since: null, paused_until: null })
  })

/** Plans the next attempt, pauses the webhook after many failures, and disables it after 410 or steady failure. */
export const recordRefused = (ctx: Context, delivery: ClaimedDelivery, answer: Answer): Promise<void> =>
  transact(ctx, async (tx) => {
    const webhook = await lockWebhook(tx.db, delivery.webhook_id)
    if (!webhook) return
    const now = tx.clock.now()
    const delay = retryDelay(delivery.attempts, Math.random(), answer.retryAfter)
    await insertAttempts(tx.db, [attemptOf(ctx, delivery, answer)])
    await finishDeliveries(tx.db, [delivery.delivery_id], {
      status: delay === undefined ? 'failed' : 'pending',
      nextAttemptAt: delay === undefined ? null : new Date(now + delay),
      now: new Date(now),
    })
    const failures = webhook.failures + 1
    const failingSince = webhook.failing_since ?? new Date(now)
    const pause = Math.max(pauseAfter(failures, now - failingSince.getTime()), answer.retryAfter ?? 0)
    const until = pause > 0 ? new Date(now + pause) : null
    await updateWebhook(tx.db, webhook.id, { failures, failing_since: failingSince, paused_until: until })
    if (answer.status === 410) await disable(tx, webhook, 'gone')
    else if (now - failingSince.getTime() >= maxFailing) await disable(tx, webhook, 'failing')
  })

async function disable(
  tx: Transaction,
  webhook: WebhookRow,
  reason: 'gone' | 'failing',
): Promise<void> {
  if (!webhook.is_enabled) return
  await updateWebhook(tx.db, webhook.id, { is_enabled: false, disabled_reason: reason, updated_at: tx.clock.date() })
  const { host } = new URL(webhook.url)
  await recordAudit(tx, { event: 'webhook_disabled', outcome: 'failure', details: { webhook: webhook.id, reason } })
  tx.log.warn({ webhook: webhook.id, reason }, 'disabled a webhook whose receiver accepts no events')
  for (const user of await findSuperadmins(tx.db)) {
    const variables = { name: greetedName(user), host, reason }
    await enqueueMail(tx, { message: 'webhook_disabled', to: user.email, lang: user.lang, variables })
  }
}
