import { performance } from 'node:perf_hooks'
import { type Clock, second } from '../lib/time.ts'

export interface DatabaseClock extends Clock {
  /** In milliseconds. Positive if this machine's clock is ahead of the database's. */
  skew(): number
  stop(): void
}

/** Database time, advanced by the monotonic clock. All nodes agree on expiry, and clock jumps have no effect. */
export async function startDatabaseClock(readTime: () => Promise<number>): Promise<DatabaseClock> {
  let { offset } = await measure(readTime)
  const correct = async () => {
    const measured = await measure(readTime)
    // The result of a slow query is too imprecise.
    if (measured.took <= second) offset = measured.offset
  }
  // While the database is unavailable, the last offset remains in use.
  const timer = setInterval(() => void correct().catch(() => {}), 10 * second).unref()
  return {
    now: () => Math.floor(performance.now() + offset),
    skew: () => Date.now() - (performance.now() + offset),
    stop: () => clearInterval(timer),
  }
}

async function measure(readTime: () => Promise<number>): Promise<{ offset: number; took: number }> {
  const before = performance.now()
  const time = await readTime()
  const after = performance.now()
  return { offset: time - (before + after) / 2, took: after - before }
}
