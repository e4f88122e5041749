import type { RedisConnection } from '../redis/connect.ts'
import { withFallback } from './fallback.ts'
import { createMemoryRateLimits } from './memory.ts'
import type { RateLimitStore } from './port.ts'
import { createPostgresRateLimits, type RunQuery } from './postgres.ts'
import { createRedisRateLimits } from './redis.ts'

export interface RateLimitOptions {
  /** Takes precedence over `query`. If neither is defined, each process counts its own requests. */
  redis?: RedisConnection | undefined
  query?: RunQuery
  onDown: (error: unknown) => void
}

export function createRateLimitStore({ redis, query, onDown }: RateLimitOptions): RateLimitStore {
  if (redis) return withFallback(createRedisRateLimits(redis), onDown)
  if (query) return withFallback(createPostgresRateLimits(query), onDown)
  return createMemoryRateLimits()
}
