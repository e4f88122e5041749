import { within } from '../within.ts'
import { createLocalCounter } from './local-counter.ts'
import type { RateLimitStore } from './port.ts'

const maxWaitMs = 2_000

/** `onDown` is called once per outage. */
export function withFallback(primary: RateLimitStore, onDown: (error: unknown) => void): RateLimitStore {
  const counter = createLocalCounter()
  let isDown = false

  return {
    async hit(key, windowMs) {
      try {
        const count = await within(maxWaitMs, primary.hit(key, windowMs))
        isDown = false
        return count
      } catch (error) {
        if (!isDown) onDown(error)
        isDown = true
        return { ...counter.hit(key, windowMs), degraded: true }
      }
    },
    close: () => primary.close(),
  }
}
