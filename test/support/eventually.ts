import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits until `isTrue` returns true, and returns how many milliseconds that took, at most 5 % too many. The pauses grow,
 * because a fast machine would otherwise reach the rate limit of reads within five seconds.
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
