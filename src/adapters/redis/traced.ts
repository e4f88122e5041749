import type { Tracing } from '../tracing/port.ts'
import type { RedisConnection } from './connect.ts'

export function tracedRedis(redis: RedisConnection, tracing: Tracing | undefined): RedisConnection {
  if (!tracing) return redis
  return {
    ...redis,
    command: (...parts) => tracing.inSpan(spanOf(parts[0] ?? ''), () => redis.command(...parts)),
    run: (script, keys, values) => tracing.inSpan(spanOf('EVALSHA'), () => redis.run(script, keys, values)),
  }
}

/** Keys and values may identify users. */
const spanOf = (command: string) => ({
  name: command.toUpperCase(),
  kind: 'client' as const,
  attributes: { 'db.system.name': 'redis', 'db.operation.name': command.toUpperCase() },
})
