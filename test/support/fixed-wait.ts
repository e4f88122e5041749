import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits for a fixed time. Use it only if a test cannot wait for a fact with `eventually`, because something must not
 * happen or because the test is about real time. State the reason.
 */
export const fixedWait = (milliseconds: number, _reason: string): Promise<void> => sleep(milliseconds)
