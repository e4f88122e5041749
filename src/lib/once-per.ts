import { BoundedMap } from './bounded-map.ts'

/**
 * Tells whether this is the first time for the key within the period. A program may repeat a rejected request many times,
 * and each reason is worth recording once.
 */
export function createOncePer(period: number, maxKeys = 10_000): (key: string, now: number) => boolean {
  const lastTimes = new BoundedMap<string, number>({ maxWeight: maxKeys })
  return (key, now) => {
    if ((lastTimes.get(key) ?? Number.NEGATIVE_INFINITY) > now - period) return false
    lastTimes.set(key, now)
    return true
  }
}
