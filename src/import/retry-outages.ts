import { setTimeout as sleep } from 'node:timers/promises'
import { databaseFault } from '../db/errors.ts'
import { second } from '../lib/time.ts'

/** Runs `work` again if the database was away. `work` must be safe to repeat even if it has been committed. */
export type RetryOutages = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * A restart or failover takes half a minute, and the server ends a transaction whose connection was lost after 10 s at
 * most.
 */
const defaultWaits = [0.5, 1, 2, 4, 8, 15, 15].map((seconds) => seconds * second)

/** `onOutage` is called once per outage, even if it affects several batches. */
export function retryOutages(
  onOutage: (error: unknown) => void,
  waits: readonly number[] = defaultWaits,
): RetryOutages {
  let isAway = false
  return async (work) => {
    for (let attempt = 0; ; attempt++) {
      try {
        const result = await work()
        isAway = false
        return result
      } catch (error) {
        const wait = waits[attempt]
        if (wait === undefined || !databaseFault(error)) throw error
        if (!isAway) onOutage(error)
        isAway = true
        await sleep(wait)
      }
    }
  }
}
