import type { RedisConnection } from '../redis/connect.ts'
import { createLocalBus } from './local.ts'
import type { Bus } from './port.ts'
import { createPostgresBus, type PostgresBusOptions } from './postgres.ts'
import { createRedisBus } from './redis.ts'

export interface BusOptions {
  /** Takes precedence over `postgres`. If neither is defined, messages stay in this process. */
  redis?: RedisConnection | undefined
  postgres?: Pick<PostgresBusOptions, 'connect' | 'notify'> | undefined
  nodeId: string
  onError: (error: unknown) => void
}

export async function createBus({ redis, postgres, nodeId, onError }: BusOptions): Promise<Bus> {
  if (redis) return createRedisBus({ redis, nodeId, onError })
  if (postgres) return createPostgresBus({ ...postgres, onError })
  return createLocalBus(onError)
}
