import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { openRedis } from '../../adapters/redis/connect.ts'
import type { Config } from '../../config/load.ts'
import { second } from '../../lib/time.ts'
import { explain } from '../fail.ts'
import { type Finding, ok, problem } from './finding.ts'

const answerLimit = 5 * second

export async function examineRedis({ REDIS_URL }: Config): Promise<Finding[]> {
  if (!REDIS_URL) return []
  const { host } = new URL(REDIS_URL)
  try {
    const redis = await openRedis({ url: REDIS_URL })
    const isUp = redis.isUp()
    await redis.close()
    if (isUp) return [ok('Redis', `${host} answers`)]
    return [
      problem(
        'Redis',
        `${host} does not answer, or refuses the sign-in: check REDIS_URL. The service works on without it, slower.`,
      ),
    ]
  } catch (error) {
    return [problem('Redis', explain(error))]
  }
}

/** Connects and waits for the greeting; signs in nowhere and sends nothing. */
export async function examineSmtp({ SMTP_URL }: Config): Promise<Finding[]> {
  if (!SMTP_URL) return []
  const url = new URL(SMTP_URL)
  const isSecure = url.protocol === 'smtps:'
  const [host, port] = [url.hostname.replace(/^\[|\]$/g, ''), Number(url.port) || (isSecure ? 465 : 587)]
  // TLS names hosts only (RFC 6066, 3): an address has no name to send.
  const name = isIP(host) ? {} : { servername: host }
  const socket = isSecure ? connectSecurely({ host, port, ...name }) : connect({ host, port })
  try {
    const greeting = await greetingOf(socket)
    if (greeting.startsWith('220')) return [ok('SMTP', `${host}:${port} answers`)]
    return [
      problem('SMTP', `${host}:${port} is no mail server that takes mail now: it says "${greeting.slice(0, 100)}"`),
    ]
  } catch (error) {
    return [problem('SMTP', `${host}:${port} does not answer: ${error instanceof Error ? error.message : error}`)]
  } finally {
    socket.destroy()
  }
}

async function greetingOf(socket: Socket): Promise<string> {
  const signal = AbortSignal.timeout(answerLimit)
  const [greeting] = await once(socket.setEncoding('utf8'), 'data', { signal })
  return String(greeting).split('\r\n')[0] ?? ''
}
