import { availableParallelism, cpus } from 'node:os'

/** Milliseconds. A new process takes about a second before it uses a core. */
const interval = 1_500

/**
 * Processes all items in order, as many at a time as there are cores. If more than 0.6 cores are idle, it starts more
 * items, up to four per core, because tests often wait for a clock, an email or a process.
 */
export async function atOnce<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const cores = availableParallelism()
  const running = new Set<Promise<void>>()
  const start = () => {
    const item = waiting.shift()
    if (item === undefined) return
    const done: Promise<void> = work(item).finally(() => running.delete(done))
    // `Promise.race` below throws the first error. Errors from other items would be unhandled rejections.
    done.catch(() => {})
    running.add(done)
  }
  const idle = idleCores()
  const timer = setInterval(() => {
    if (idle() > 0.6 && running.size < 4 * cores) start()
  }, interval)
  try {
    while (waiting.length > 0 || running.size > 0) {
      while (waiting.length > 0 && running.size < cores) start()
      await Promise.race(running)
    }
  } finally {
    clearInterval(timer)
  }
}

/** Returns a function that measures how many cores have been idle since it was last called. */
function idleCores(): () => number {
  let before = cpus()
  return () => {
    const now = cpus()
    const shares = now.map(({ times }, core) => {
      const earlier = before[core]?.times ?? times
      return (times.idle - earlier.idle) / Math.max(1, total(Object.values(times)) - total(Object.values(earlier)))
    })
    before = now
    return total(shares)
  }
}

const total = (numbers: number[]): number => numbers.reduce((sum, one) => sum + one, 0)
