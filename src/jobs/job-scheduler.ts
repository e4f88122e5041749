import type { Context } from '../context.ts'

export interface ScheduledJob {
  /** In milliseconds. */
  every: number
  /** Several nodes may run the job concurrently. The database distributes the work. */
  run(ctx: Context): Promise<void>
  isWanted(): boolean
}

export function startScheduledJobs(
  ctx: Context,
  scheduledJobs: readonly ScheduledJob[],
  onError: (error: unknown) => void,
) {
  const started = scheduledJobs.map(({ every, run, isWanted }) => {
    const turn = coalescedRunner(async () => {
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

/** Runs `work` when woken, one run at a time. A wake-up during a run causes another run. */
export function coalescedRunner(work: () => Promise<void>, onError: (error: unknown) => void) {
  let running: Promise<void> | undefined
  let again = false
  const wake = () => {
    if (running) {
      again = true
      return
    }
    again = false
    running = work()
      .catch(onError)
      .finally(() => {
        running = undefined
        if (again) wake()
      })
  }
  return { wake, idle: async () => running }
}
