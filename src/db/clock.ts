import { performance } from 'node:perf_hooks'
import { type Clock, second } from '../lib/time.ts'

export interface DatabaseClock extends Clock {
  /** How far this machine's own clock is ahead of the database's, in milliseconds. */
  skew(): number
  stop(): void
}

/**
 * The database's clock decides what has expired, on every node alike. It is read from time to time and carried on by
 * the monotonic clock, so that a jump of this machine's clock shortens and lengthens nothing.
 */
export async function startDatabaseClock(readTime: () => Promise<number>): Promise<DatabaseClock> {
  let { offset } = await measure(readTime)
  const correct = async () => {
    const measured = await measure(readTime)
    // An answer that was held up does not say when it was given.
    if (measured.took <= second) offset = measured.offset
  }
  // While the database is away the monotonic clock goes on alone.
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
