import { createLocalCounter, type LocalCounterOptions } from './local-counter.ts'
import type { RateLimitStore } from './port.ts'

export function createMemoryRateLimits(options?: LocalCounterOptions): RateLimitStore {
  const counter = createLocalCounter(options)
  return {
    hit: async (key, windowMs) => counter.hit(key, windowMs),
    async close() {},
  }
}
