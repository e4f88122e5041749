import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until `isTrue` returns true, and returns how many milliseconds that took. */
export async function eventually(
  isTrue: () => boolean | Promise<boolean>,
  limit = 10_000,
  what: () => string = () => `${isTrue}`,
): Promise<number> {
  const start = performance.now()
  while (!(await isTrue())) {
    if (performance.now() - start > limit) throw new Error(`not within ${limit} ms: ${what()}`)
    await sleep(5)
  }
  return performance.now() - start
}
