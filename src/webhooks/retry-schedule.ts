import { day, hour, minute, second } from '../lib/time.ts'

// The delays before further attempts add up to about three days. If the last attempt fails, the delivery has failed.
const delays = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
  12 * hour,
  20 * hour,
  day,
]

/** A webhook is disabled if all attempts have failed for this long. */
export const maxFailing = 3 * day

const maxRetryAfter = day

/**
 * Returns the delay in milliseconds, or undefined after the last attempt. `random`, a number from 0 to 1, lengthens the
 * delay by at most a fifth, so that deliveries that failed together are not repeated together. `retryAfter` is the
 * delay that the receiver requested.
 */
export function retryDelay(attempt: number, random: number, retryAfter = 0): number | undefined {
  const delay = delays[attempt - 1]
  if (delay === undefined) return undefined
  return Math.max(delay * (1 + random / 5), Math.min(retryAfter, maxRetryAfter))
}

/** After this many consecutive failures, one delivery at a time tests whether the receiver works again. */
export const failuresBeforePause = 5

/** Milliseconds until the next delivery. Pauses grow during an outage so that few attempts are wasted. */
export function pauseAfter(failures: number, failingMs: number, retryAfter = 0): number {
  const pause = failures < failuresBeforePause ? 0 : Math.min(Math.max(failingMs / 2, second), 10 * minute)
  return Math.max(pause, Math.min(retryAfter, maxRetryAfter))
}

/** `Retry-After` is a number of seconds or a date (RFC 9110, section 10.2.3). Returns milliseconds. */
export function readRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined
  if (/^\d+$/.test(value)) return Math.min(Number(value) * second, maxRetryAfter)
  const time = Date.parse(value)
  return Number.isNaN(time) ? undefined : Math.max(0, time - now)
}
