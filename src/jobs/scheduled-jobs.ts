import type { Context } from '../context.ts'
import { pump } from './pump.ts'

/** Work that a module repeats more often than its chores, on every node. */
export interface ScheduledJob {
  /** Milliseconds between two beginnings. */
  every: number
  /** Several nodes may be at it at once: the database decides who does what. */
  run(ctx: Context): Promise<void>
  /** Whether there is anything to do it for. */
  isWanted(): boolean
}

/** Starts the rounds of this node. `stop` waits for those that are under way. */
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
