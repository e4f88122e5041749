import type { Redis } from '../redis/connect.ts'
import { createMemoryCache, type MemoryCacheOptions } from './memory.ts'
import type { Cache } from './port.ts'
import { createRedisCache } from './redis.ts'

export interface CacheOptions extends MemoryCacheOptions {
  redis?: Redis | undefined
}

export const createCache = ({ redis, ...memory }: CacheOptions): Cache =>
  redis ? createRedisCache(redis) : createMemoryCache(memory)
