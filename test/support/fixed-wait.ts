import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits for a fixed time. Use this only if a test cannot wait for a condition with `eventually`: when it checks that
 * something does not happen, or when it tests real time. Give the reason in the second argument.
 */
export const fixedWait = (milliseconds: number, _reason: string): Promise<void> => sleep(milliseconds)
