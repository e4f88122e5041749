import { keepConnected } from '../keep-connected.ts'
import { within } from '../within.ts'
import { createHandlers } from './handlers.ts'
import { packMessage, unpackMessage } from './message.ts'
import type { Bus } from './port.ts'

/** Whoever notifies inside a transaction of its own sends `packMessage(channel, payload)` on this channel. */
export const postgresChannel = 'wardenry'

const connectLimit = 5_000
const checkEvery = 5_000

/** What the bus needs of a `pg` client. */
export interface PgListenClient {
  query(text: string): Promise<unknown>
  on(event: 'notification', heard: (message: Notification) => void): unknown
  on(event: 'error' | 'end', ended: () => void): unknown
  end(): Promise<void>
}

interface Notification {
  payload?: string | undefined
}

export interface PostgresBusOptions {
  /** A connected client that nobody else uses; TCP keep-alive closes what even the end of it could not. */
  connect(): Promise<PgListenClient>
  /** `SELECT pg_notify($1, $2)`, on any connection. */
  notify(channel: string, payload: string): Promise<unknown>
  onError: (error: unknown) => void
  /** How often the connection is asked for a sign of life, and how long that may take. */
  checkMs?: number
}

export async function createPostgresBus(options: PostgresBusOptions): Promise<Bus> {
  const { connect, notify, onError, checkMs = checkEvery } = options
  const handlers = createHandlers(onError)
  let lostAt: number | undefined

  const kept = await keepConnected<PgListenClient>({
    open: (lost) =>
      openListening(connect, lost, ({ payload = '' }) => {
        const message = unpackMessage(payload)
        handlers.deliver(message.channel, message.payload)
      }),
    shut: endQuietly,
    onChange(up) {
      const isBack = up && lostAt !== undefined
      lostAt = up ? undefined : performance.now()
      if (isBack) handlers.reconnected()
    },
  })

  // The server never speaks first: without a question a half-open connection would stay silent for ever.
  const timer = setInterval(() => {
    const client = kept.current()
    if (client) within(checkMs, client.query('SELECT 1')).catch(() => client === kept.current() && kept.drop())
  }, checkMs).unref()

  return {
    async publish(channel, payload) {
      await notify(postgresChannel, packMessage(channel, payload))
    },
    subscribe: handlers.subscribe,
    onReconnect: handlers.onReconnect,
    sinceLastBeat: () => (lostAt === undefined ? 0 : performance.now() - lostAt),
    async close() {
      clearInterval(timer)
      kept.close()
    },
  }
}

async function openListening(
  connect: () => Promise<PgListenClient>,
  lost: () => void,
  heard: (message: Notification) => void,
): Promise<PgListenClient> {
  const client = await within(connectLimit, connect(), endQuietly)
  client.on('error', lost)
  client.on('end', lost)
  client.on('notification', heard)
  try {
    await within(connectLimit, client.query(`LISTEN ${postgresChannel}`))
    return client
  } catch (error) {
    endQuietly(client)
    throw error
  }
}

function endQuietly(client: PgListenClient): void {
  // An 'error' that nobody hears would end the process, and this connection is given up anyway.
  client.on('error', () => {})
  client.end().catch(() => {})
}
