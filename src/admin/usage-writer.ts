import type { Usage, UsageCounter, UsageKind } from '../context/usage.ts'
import type { Db } from '../db/tables.ts'
import type { Logger } from '../lib/log.ts'
import { type Clock, minute } from '../lib/time.ts'
import { addUsage } from './usage-queries.ts'

interface NamedCounter extends UsageCounter {
  kind: UsageKind
  name: string
}

/**
 * The names come from settings and from the code, and are ids of applications and secrets that superadmins have created,
 * so the number of counters is bounded.
 */
export function createUsageWriter(db: Db, clock: Clock, log: Logger): Usage & { stop(): Promise<void> } {
  const counters = new Map<string, NamedCounter>()
  const flush = async () => {
    const used = [...counters.values()].filter(({ count }) => count > 0).map((counter) => ({ ...counter, counter }))
    if (used.length === 0) return
    for (const { counter } of used) counter.count = 0
    try {
      await addUsage(db, used, new Date(clock.now()))
    } catch (error) {
      // The next run stores these counts.
      for (const { counter, count } of used) counter.count += count
      log.warn({ err: error }, 'could not store the counts of bridge secrets, rate limits and applications')
    }
  }
  const timer = setInterval(flush, minute).unref()
  return {
    counterOf(kind, name) {
      const key = `${kind} ${name}`
      const counter = counters.get(key) ?? { kind, name, count: 0 }
      counters.set(key, counter)
      return counter
    },
    flush,
    stop: () => {
      clearInterval(timer)
      return flush()
    },
  }
}
