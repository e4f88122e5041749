import { setImmediate as nextTurn } from 'node:timers/promises'
import type { GuardedFetch } from '../adapters/fetch/port.ts'
import type { Context } from '../context.ts'
import { second } from '../lib/time.ts'
import { type ClaimedDelivery, claimDeliveries } from './delivery-queries.ts'
import { findActiveWebhooks, type WebhookRow } from './queries.ts'
import { type Attempted, recordAccepted, recordRejected } from './record-outcome.ts'
import { failuresBeforePause } from './retry-schedule.ts'
import { isAccepted, sendEvent } from './send-event.ts'

/** The maximum number of concurrent deliveries per webhook and process. */
const maxRunning = 50

/** The maximum number of deliveries started in one turn of the event loop. */
const startedAtOnce = 5

/** In milliseconds. After this time, deliveries continue even if sign-ins are still running. */
const maxPause = 20

/** Must be longer than a request can take. If a node is killed, another node repeats the delivery after this time. */
const claimMs = 30 * second

/** Each webhook has its own limit on concurrent deliveries, so a slow receiver does not delay other webhooks. */
export function createDispatcher(ctx: Context, fetch: GuardedFetch, onProgress: () => void) {
  const running = new Map<string, Set<Promise<void>>>()
  const stopping = new AbortController()
  const record = batchedRecorder(ctx)

  async function deliver(webhook: WebhookRow, event: ClaimedDelivery): Promise<void> {
    const outcome = await sendEvent(ctx, fetch, { webhook, event, signal: stopping.signal })
    // The request was aborted at shutdown. When the claim expires, another node repeats the delivery.
    if (stopping.signal.aborted && outcome.status === null) return
    const accepted = isAccepted(outcome)
    ctx.metrics.webhookAttempt(accepted ? 'accepted' : outcome.status === null ? 'unreachable' : 'rejected')
    await (accepted ? record({ delivery: event, outcome }) : recordRejected(ctx, { delivery: event, outcome }))
  }

  async function deliverTo(webhook: WebhookRow): Promise<void> {
    const ofWebhook = running.get(webhook.id) ?? new Set()
    running.set(webhook.id, ofWebhook)
    const room = (webhook.failures >= failuresBeforePause ? 1 : maxRunning) - ofWebhook.size
    // Claiming many deliveries at once takes fewer statements than claiming a new delivery whenever one ends.
    if (room <= 0 || ofWebhook.size > maxRunning / 2) return
    const now = ctx.clock.date()
    const until = new Date(now.getTime() + claimMs)
    for (const [position, event] of (
      await claimDeliveries(ctx.db, webhook.id, { now, until, limit: room })
    ).entries()) {
      if (position % startedAtOnce === 0) await letSignInsPass(ctx)
      const work: Promise<void> = deliver(webhook, event)
        .catch((error) => ctx.log.warn({ err: error, webhook: webhook.id }, 'could not record a delivery'))
        .finally(() => {
          ofWebhook.delete(work)
          if (ofWebhook.size === maxRunning / 2 || ofWebhook.size === 0) onProgress()
        })
      ofWebhook.add(work)
    }
  }

  return {
    async deliverDue(): Promise<void> {
      if (stopping.signal.aborted) return
      for (const webhook of await findActiveWebhooks(ctx.db, ctx.clock.date())) await deliverTo(webhook)
    },
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all([...running.values()].flatMap((ofWebhook) => [...ofWebhook]))
    },
  }
}

/**
 * Hashing has a low priority, so a burst of deliveries that keeps all cores busy would multiply the duration of a
 * sign-in. Deliveries therefore wait, for at most `maxPause`, until no sign-in is running.
 */
async function letSignInsPass({ passwords }: Context): Promise<void> {
  await nextTurn()
  await passwords.idle(maxPause)
}

/** Outcomes that arrive during a write are collected and written together. */
function batchedRecorder(ctx: Context): (attempted: Attempted) => Promise<void> {
  let batch: Attempted[] = []
  let following: Promise<void> | undefined
  let last: Promise<void> = Promise.resolve()
  const write = (): Promise<void> => {
    const written = batch
    batch = []
    following = undefined
    return recordAccepted(ctx, written)
  }
  return (attempted) => {
    batch.push(attempted)
    following ??= last = last.then(write, write)
    return following
  }
}
