import type { Mailer } from '../mail/port.ts'
import type { RedisConnection } from '../redis/connect.ts'
import type { Tracing } from './port.ts'

/** Each email has its own trace because it is sent after the response to the request that caused it. */
export function tracedMailer(mailer: Mailer, tracing: Tracing | undefined): Mailer {
  if (!tracing) return mailer
  const span = { name: 'send email', kind: 'client', attributes: {} } as const
  return {
    ...mailer,
    send: (mail, id, signal) => tracing.inOwnTrace(span, () => mailer.send(mail, id, signal)),
  }
}

export function tracedRedis(redis: RedisConnection, tracing: Tracing | undefined): RedisConnection {
  if (!tracing) return redis
  return {
    ...redis,
    command: (...parts) => tracing.inSpan(spanOf(parts[0] ?? ''), () => redis.command(...parts)),
    run: (script, keys, values) => tracing.inSpan(spanOf('EVALSHA'), () => redis.run(script, keys, values)),
  }
}

/** Spans contain only the command name because keys and values may identify users. */
const spanOf = (command: string) => ({
  name: command.toUpperCase(),
  kind: 'client' as const,
  attributes: { 'db.system.name': 'redis', 'db.operation.name': command.toUpperCase() },
})
