import type { Context } from '../context.ts'
import { second } from '../lib/time.ts'
import { type ClaimedDelivery, claimDeliveries } from './delivery-queries.ts'
import { findActive, type WebhookRow } from './queries.ts'
import { attemptOf, recordAccepted, recordRefused } from './record-answer.ts'
import { failuresBeforePause } from './retry-schedule.ts'
import { type Answer, isAccepted, sendEvent } from './send-event.ts'

/** Per webhook and process. */
const maxUnderWay = 50

/** Longer than a request may take. If a node is killed, another one makes the delivery again after this time. */
const claimMs = 30 * second

interface Accepted {
  delivery: ClaimedDelivery
  answer: Answer
}

/** `onProgress` is called when further deliveries may be claimed. */
export function deliverer(ctx: Context, onProgress: () => void) {
  const underWay = new Map<string, Set<Promise<void>>>()
  const stopping = new AbortController()
  let accepted: Accepted[] = []
  let writing: Promise<void> | undefined

  /** Results that arrive while earlier ones are written are written together. */
  function record(one: Accepted): Promise<void> {
    accepted.push(one)
    writing ??= Promise.resolve().then(async () => {
      try {
        while (accepted.length > 0) {
          const some = accepted
          accepted = []
          const attempts = some.map(({ delivery, answer }) => attemptOf(ctx, delivery, answer))
          await recordAccepted(ctx, attempts, new Set(some.map(({ delivery }) => delivery.webhook_id)))
        }
      } finally {
        writing = undefined
      }
    })
    return writing
  }

  async function deliverOne(webhook: WebhookRow, delivery: ClaimedDelivery): Promise<void> {
    const answer = await sendEvent(ctx, webhook, delivery, stopping.signal)
    // A delivery that the stop interrupted keeps its claim. Another node makes it again after `claimMs`.
    if (stopping.signal.aborted && answer.status === null) return
    ctx.metrics.webhookAttempt(isAccepted(answer) ? 'accepted' : answer.status === null ? 'unreachable' : 'refused')
    if (isAccepted(answer)) await record({ delivery, answer })
    else await recordRefused(ctx, delivery, answer)
  }

  async function deliverTo(webhook: WebhookRow): Promise<void> {
    const running = underWay.get(webhook.id) ?? new Set<Promise<void>>()
    underWay.set(webhook.id, running)
    // Claiming half as many at once as may be under way takes fewer statements than replacing each one that ends.
    const limit = webhook.failures >= failuresBeforePause ? 1 - running.size : maxUnderWay - running.size
    if (limit <= 0 || running.size > maxUnderWay / 2 || stopping.signal.aborted) return
    const now = ctx.clock.date()
    const claimed = await claimDeliveries(ctx.db, webhook.id, { now, until: new Date(now.getTime() + claimMs), limit })
    for (const delivery of claimed) {
      const work: Promise<void> = deliverOne(webhook, delivery)
        .catch((error) => ctx.log.warn({ err: error, webhook: webhook.id }, 'could not record a delivery'))
        .finally(() => {
          running.delete(work)
          if (running.size === maxUnderWay / 2 || running.size === 0) onProgress()
        })
      running.add(work)
    }
  }

  return {
    async deliverDue(): Promise<void> {
      for (const webhook of await findActive(ctx.db, ctx.clock.date())) await deliverTo(webhook)
    },
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all([...underWay.values()].flatMap((running) => [...running]))
    },
  }
}
