import { keepConnected } from '../keep-connected.ts'
import { endQuietly, openOwnConnection, type PgClient } from '../own-connection.ts'
import { within } from '../within.ts'
import { createHandlers, packMessage, unpackMessage } from './handlers.ts'
import type { Bus } from './port.ts'

/** To notify inside a transaction, send `packMessage(channel, payload)` on this channel. */
export const postgresChannel = 'wardenry'

const connectLimit = 5_000
const checkEvery = 5_000

export interface PostgresBusOptions {
  connect(): Promise<PgClient>
  notify(channel: string, payload: string): Promise<unknown>
  onError: (error: unknown) => void
  checkMs?: number
}

export async function createPostgresBus(options: PostgresBusOptions): Promise<Bus> {
  const { connect, notify, onError, checkMs = checkEvery } = options
  const handlers = createHandlers(onError)
  let lostAt: number | undefined

  const kept = await keepConnected<PgClient>({
    open: (lost) =>
      openOwnConnection({
        connect,
        lost,
        prove(client) {
          client.on('notification', ({ payload = '' }) => {
            const message = unpackMessage(payload)
            handlers.deliver(message.channel, message.payload)
          })
          return client.query(`LISTEN ${postgresChannel}`)
        },
        timeoutMs: connectLimit,
      }),
    shut: endQuietly,
    onChange(up) {
      const isBack = up && lostAt !== undefined
      lostAt = up ? undefined : performance.now()
      if (isBack) handlers.reconnected()
    },
  })

  // A half-open connection reports no error, so a query tests the connection at regular intervals.
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
