import type { Context } from '../context.ts'
import { pump } from './pump.ts'

export interface ScheduledJob {
  /** In milliseconds. */
  every: number
  /** May run on several nodes at once; the database distributes the work. */
  run(ctx: Context): Promise<void>
  isWanted(): boolean
}

export function startScheduledJobs(
  ctx: Context,
  scheduledJobs: readonly ScheduledJob[],
  onError: (error: unknown) => void,
) {
  const started = scheduledJobs.map(({ every, run, isWanted }) => {
    const turn = pump(async () => {
      if (isWanted()) await run(ctx)
    }, onError)
    const timer = setInterval(turn.wake, every).unref()
    return async () => {
      clearInterval(timer)
      await turn.idle()
    }
  })
  return { stop: async () => void (await Promise.all(started.map((stop) => stop()))) }
}
