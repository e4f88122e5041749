import { keepConnected, type PersistentConnection } from '../keep-connected.ts'
import { within } from '../within.ts'
import { newClient, openClient, type RedisClient } from './client.ts'
import { redisReason } from './reason.ts'
import { evaluate, type RedisScript } from './script.ts'

const commandLimit = 100
const failuresThatOpen = 5

export interface RedisOptions {
  url: string
  /** Prepended to all keys and channels so that deployments can share a Redis server. */
  prefix?: string
  commandMs?: number
  /** `reason` is the end of a sentence about the server. */
  onStateChange?: (up: boolean, reason?: string) => void
}

/** After five consecutive failures, commands reject immediately until a new connection responds to a PING in time. */
export interface RedisConnection {
  isUp(): boolean
  key(name: string): string
  command(...parts: string[]): Promise<unknown>
  run(script: RedisScript, keys: string[], values: string[]): Promise<unknown>
  listen(options: ListenOptions): Promise<RedisListener>
  close(): Promise<void>
}

export interface ListenOptions {
  channel: string
  onMessage: (text: string) => void
  onChange: (up: boolean) => void
}

export interface RedisListener {
  isUp(): boolean
  reconnect(): void
  close(): void
}

/** Thrown if Redis does not answer or has become a replica. Other error replies are passed on unchanged. */
export class RedisUnavailable extends Error {
  constructor() {
    super('Redis does not answer')
  }
}

export async function openRedis({
  url,
  prefix = 'wardenry:',
  commandMs = commandLimit,
  onStateChange,
}: RedisOptions): Promise<RedisConnection> {
  const library = await import('redis')
  const connections: PersistentConnection<RedisClient>[] = []
  let failures = 0

  async function connect(
    prove: (client: RedisClient) => Promise<unknown>,
    onChange: (up: boolean, error?: unknown) => void,
  ) {
    const kept = await keepConnected<RedisClient>({
      open: (lost) => openClient(newClient(library, url), prove, lost),
      shut: (client) => client.destroy(),
      onChange,
    })
    connections.push(kept)
    return kept
  }

  const responsesPing = (client: RedisClient) => within(commandMs, client.ping())
  const commands = await connect(responsesPing, (up, error) => {
    failures = 0
    onStateChange?.(up, error === undefined ? undefined : redisReason(error, url))
  })

  async function call(send: (client: RedisClient) => Promise<unknown>): Promise<unknown> {
    const client = commands.current()
    if (!client) throw new RedisUnavailable()
    try {
      const reply = await within(commandMs, send(client))
      failures = 0
      return reply
    } catch (error) {
      if (error instanceof library.ErrorReply && !isDemoted(error)) throw error
      if (client === commands.current() && ++failures >= failuresThatOpen) commands.drop()
      throw new RedisUnavailable()
    }
  }

  return {
    isUp: () => commands.current() !== undefined,
    key: (name) => prefix + name,
    command: (...parts) => call((client) => client.sendCommand(parts)),
    run: (script, keys, values) => call((client) => evaluate(client, script, keys, values)),
    async listen({ channel, onMessage, onChange }) {
      const listener = await connect((client) => client.subscribe(channel, onMessage), onChange)
      return { isUp: () => listener.current() !== undefined, reconnect: listener.drop, close: listener.close }
    },
    async close() {
      for (const connection of connections) connection.close()
    },
  }
}

/** After a failover, the connection may lead to a replica. A new connection reaches the primary. */
const isDemoted = (error: Error): boolean => error.message.startsWith('READONLY')
