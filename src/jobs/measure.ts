import { findSealTimes } from '../audit/seal-queries.ts'
import type { Context } from '../context.ts'
import { second } from '../lib/time.ts'
import { countWaiting } from '../outbox/queries.ts'

const interval = 10 * second
const alarmDepth = 1_000

/** Runs metrics queries at a fixed interval so that scrapes need no queries. */
export function startMeasuring(ctx: Context): { stop(): void } {
  const measure = () => void Promise.allSettled([measureOutbox(ctx), measureSeals(ctx)])
  measure()
  const timer = setInterval(measure, interval).unref()
  return { stop: () => clearInterval(timer) }
}

async function measureOutbox(ctx: Context): Promise<void> {
  // While the database is unreachable, the last known depth is reported.
  const depth = await countWaiting(ctx.db)
  ctx.metrics.outboxDepth(depth)
  if (depth >= alarmDepth)
    ctx.log.warn({ depth }, 'many messages are waiting for delivery: is the mail server reachable?')
}

async function measureSeals({ db, clock, metrics }: Context): Promise<void> {
  const { newest, unsealed } = await findSealTimes(db)
  const age = (time: Date | undefined) => (time ? Math.max(0, clock.now() - time.getTime()) / second : 0)
  metrics.auditSeals({ newest: age(newest ?? unsealed), unsealed: age(unsealed) })
}
