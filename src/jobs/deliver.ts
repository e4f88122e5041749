import type { PgBoss } from 'pg-boss'
import type { Context } from '../context.ts'
import { hour, minute, second } from '../lib/time.ts'
import { type MailPayload, openPayload } from '../outbox/enqueue.ts'
import type { MessageName } from '../outbox/messages.ts'
import { findUndone, finishMessage, giveUpMessage, noteFailedAttempt, type OutboxRow } from '../outbox/queries.ts'
import { renderDelivery } from '../outbox/render-delivery.ts'

export type QueuedJobs = Record<string, (ctx: Context, data: never) => Promise<void>>

/** The delay before each retry. If the last retry fails, the message is marked as failed. */
const retryAfter = [minute, 5 * minute, 15 * minute, hour, 4 * hour]

interface DeliveryQueue {
  boss: PgBoss
  queuedJobs: QueuedJobs
}

interface DeliveryJob {
  id: string
  attempt?: number
}

interface FailedAttempt {
  row: OutboxRow
  attempt: number
  error: unknown
}

/** Throws only if the database connection or the claim on the message is lost. pg-boss then reruns the job. */
export async function deliver(
  ctx: Context,
  { boss, queuedJobs }: DeliveryQueue,
  { id, attempt = 0 }: DeliveryJob,
  signal: AbortSignal,
): Promise<void> {
  const row = await findUndone(ctx.db, id)
  if (!row) return
  const now = ctx.clock.date()
  if (row.expires_at && row.expires_at <= now) {
    ctx.metrics.delivery('expired')
    return void (await finishMessage(ctx.db, id, { status: 'expired', at: now, lastError: null }))
  }
  try {
    await send(ctx, queuedJobs, row, signal)
  } catch (error) {
    signal.throwIfAborted()
    return afterFailure(ctx, boss, { row, attempt, error })
  }
  await recordSent(ctx, id, signal)
  ctx.metrics.delivery('delivered')
}

/** Retries the update because a message not recorded as sent would be sent again. */
async function recordSent(ctx: Context, id: string, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return void (await finishMessage(ctx.db, id, { status: 'sent', at: ctx.clock.date(), lastError: null }))
    } catch (error) {
      if (signal.aborted || attempt === 10) throw error
      await new Promise((resolve) => setTimeout(resolve, second))
    }
  }
}

async function send(ctx: Context, queuedJobs: QueuedJobs, row: OutboxRow, signal: AbortSignal): Promise<void> {
  if (row.channel === 'task') {
    const job = queuedJobs[row.message]
    if (!job) throw new Error(`there is no task "${row.message}"`)
    return job(ctx, openPayload<never>(ctx, row.payload))
  }
  const payload = openPayload<MailPayload>(ctx, row.payload)
  const { to } = payload
  const { subject, text, html } = await renderDelivery(ctx, row.id, row.message as MessageName, payload)
  if (row.channel === 'mail') return ctx.mailer.send({ to, subject, text, html }, row.id, signal)
  // For autofill, phones read the code from the last line, so the text must not end with a line break.
  return ctx.sms.send({ to, text: text.trimEnd() }, row.id)
}

async function afterFailure(ctx: Context, boss: PgBoss, { row, attempt, error }: FailedAttempt): Promise<void> {
  const reason = error instanceof Error ? error.message.slice(0, 300) : 'unknown'
  const delay = retryAfter[attempt]
  const isPermanent = error instanceof Error && 'permanent' in error && error.permanent === true
  if (isPermanent || delay === undefined) {
    ctx.metrics.delivery(isPermanent ? 'refused' : 'failed')
    ctx.log.error({ outbox_id: row.id, message: row.message, reason }, 'could not deliver a message; gave up')
    const now = ctx.clock.date()
    if (isPermanent) return void (await finishMessage(ctx.db, row.id, { status: 'failed', at: now, lastError: reason }))
    return void (await giveUpMessage(ctx.db, row.id, now, reason))
  }
  ctx.metrics.delivery('retried')
  ctx.log.warn(
    { outbox_id: row.id, message: row.message, reason, retry_in_s: delay / second },
    'could not deliver a message yet',
  )
  await noteFailedAttempt(ctx.db, row.id, reason)
  await boss.send('deliver', { id: row.id, attempt: attempt + 1 }, { startAfter: delay / second })
}
