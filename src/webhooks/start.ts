import type { Context } from '../context.ts'
import { coalescedRunner } from '../jobs/job-scheduler.ts'
import { second } from '../lib/time.ts'
import { deliverer } from './deliver-due.ts'
import { relayEvents } from './relay-events.ts'

const interval = second

/** Runs on every node. The nodes share the work through the database. */
export function startWebhooks(ctx: Context): { stop(): Promise<void> } {
  const onError = (error: unknown) => {
    ctx.metrics.jobFailed('scheduled')
    ctx.log.warn({ err: error }, 'could not process events; will be retried')
  }
  const deliveries = deliverer(ctx, () => round.wake())
  const round = coalescedRunner(async () => {
    await relayEvents(ctx)
    await deliveries.deliverDue()
  }, onError)
  const timer = setInterval(round.wake, interval).unref()
  return {
    async stop() {
      clearInterval(timer)
      await round.idle()
      await deliveries.stop()
    },
  }
}
