import { createGuardedFetch, keptConnections } from '../adapters/fetch/node.ts'
import type { Context } from '../context.ts'
import { positionEvents } from '../events/assign-positions.ts'
import { coalescedRunner } from '../jobs/job-scheduler.ts'
import { second } from '../lib/time.ts'
import { createDeliveries } from './create-deliveries.ts'
import { createDispatcher } from './dispatcher.ts'
import { findWaitingDeliveries } from './queries.ts'
import { storedResponse } from './send-event.ts'

const interval = second
const measuringInterval = 10 * second

/** Longer responses are cut off, because only their beginning is stored. */
const fetchLimits = { bytes: storedResponse, atOnce: 1_000, cutsOff: true }

/** Assigns positions to events and delivers the events. Runs on every node; the database distributes the work. */
export function startWebhooks(ctx: Context): { stop(): Promise<void> } {
  const connections = keptConnections()
  const fetch = createGuardedFetch(fetchLimits, connections)
  const onError = (error: unknown) => {
    ctx.metrics.jobFailed('scheduled')
    ctx.log.warn({ err: error }, 'could not process events; will be retried')
  }
  const dispatcher = createDispatcher(ctx, fetch, () => round.wake())
  const round = coalescedRunner(async () => {
    await positionEvents(ctx)
    await createDeliveries(ctx)
    await dispatcher.deliverDue()
  }, onError)
  const timer = setInterval(round.wake, interval).unref()
  const measuring = setInterval(() => void measure(ctx).catch(() => {}), measuringInterval).unref()
  return {
    async stop() {
      clearInterval(timer)
      clearInterval(measuring)
      await round.idle()
      await dispatcher.stop()
      connections.close()
    },
  }
}

async function measure({ db, clock, metrics }: Context): Promise<void> {
  const { waiting, oldest } = await findWaitingDeliveries(db)
  metrics.webhookDeliveries({ waiting, oldest: oldest ? Math.max(0, clock.now() - oldest.getTime()) / second : 0 })
}
