import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits until `isTrue` returns true. Returns the elapsed milliseconds, at most 5 % too high. The pauses get longer so
 * that a fast machine does not hit the rate limit for reads.
 */
export async function eventually(
  isTrue: () => boolean | Promise<boolean>,
  limit = 10_000,
  what: () => string = () => `${isTrue}`,
): Promise<number> {
  const start = performance.now()
  while (!(await isTrue())) {
    const waited = performance.now() - start
    if (waited > limit) throw new Error(`not within ${limit} ms: ${what()}`)
    await sleep(Math.min(Math.max(5, waited / 20), 100))
  }
  return performance.now() - start
}
