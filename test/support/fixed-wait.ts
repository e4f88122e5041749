import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits for a fixed time. Only for tests that cannot wait for a fact with `eventually`: something must not happen, or
 * the passing of real time is itself tested. The reason says which.
 */
export const fixedWait = (milliseconds: number, _reason: string): Promise<void> => sleep(milliseconds)
