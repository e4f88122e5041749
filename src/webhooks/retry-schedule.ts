import { day, hour, minute, second } from '../lib/time.ts'

/** The delay before each further attempt, together three days. After the last attempt, the delivery has failed. */
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

/** An endpoint that has refused every event for this long is disabled. */
export const maxFailing = 3 * day

const maxRetryAfter = day

/**
 * Returns milliseconds, or undefined after the last attempt. `random` is from 0 to 1: up to a fifth is added, so that
 * deliveries that failed together are not repeated together. `retryAfter` is the value that the receiver asked for.
 */
export function retryDelay(attempt: number, random: number, retryAfter = 0): number | undefined {
  const delay = delays[attempt - 1]
  if (delay === undefined) return undefined
  return Math.max(delay * (1 + random / 5), Math.min(retryAfter, maxRetryAfter))
}

/** After this many failures in a row, a single delivery at a time finds out whether the receiver works again. */
export const failuresBeforePause = 5

/**
 * How long the service waits before it sends anything to a receiver that has failed for `failingMs`. The pauses grow
 * with the outage, and few events are sent in vain.
 */
export const pauseAfter = (failures: number, failingMs: number): number =>
  failures < failuresBeforePause ? 0 : Math.min(Math.max(failingMs / 2, second), 10 * minute)

/** `Retry-After` (RFC 9110, section 10.2.3): seconds or a date. Returns milliseconds. */
export function readRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value) * second
  const time = Date.parse(value)
  return Number.isNaN(time) ? undefined : Math.max(0, time - now)
}
