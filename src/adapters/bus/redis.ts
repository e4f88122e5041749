import type { RedisConnection } from '../redis/connect.ts'
import { createHandlers, packMessage, unpackMessage } from './handlers.ts'
import type { Bus } from './port.ts'

const beatEvery = 250
/** In milliseconds. A node that has not received its own heartbeat for this long resubscribes. */
const deafAfter = 2_000

export interface RedisBusOptions {
  redis: RedisConnection
  nodeId: string
  onError: (error: unknown) => void
}

export async function createRedisBus({ redis, nodeId, onError }: RedisBusOptions): Promise<Bus> {
  const handlers = createHandlers(onError)
  const channel = redis.key('bus')
  const ownBeat = `beat ${nodeId}`
  // Each heartbeat contains the time at which it was sent, because a delayed heartbeat does not prove that messages
  // sent after it have arrived.
  let beatSentAt = Number.NEGATIVE_INFINITY
  let changedAt = performance.now()
  let hasMissed = false

  const listener = await redis.listen({ channel, onMessage, onChange })
  const timer = setInterval(beat, beatEvery).unref()
  beat()

  function onMessage(text: string): void {
    const { channel: name, payload } = unpackMessage(text)
    if (name === ownBeat) beatSentAt = Number(payload)
    else handlers.deliver(name, payload)
  }

  function onChange(up: boolean): void {
    changedAt = performance.now()
    beatSentAt = Number.NEGATIVE_INFINITY
    if (up && hasMissed) handlers.reconnected()
    hasMissed ||= !up
  }

  async function send(name: string, payload: string): Promise<void> {
    await redis.command('PUBLISH', channel, packMessage(name, payload))
  }

  function beat(): void {
    // Errors are ignored here because the missing heartbeat is detected later.
    send(ownBeat, String(performance.now())).catch(() => {})
    const lastSign = Math.max(beatSentAt, changedAt)
    if (listener.isUp() && performance.now() - lastSign > deafAfter) listener.reconnect()
  }

  return {
    publish: send,
    subscribe: handlers.subscribe,
    onReconnect: handlers.onReconnect,
    sinceLastBeat: () => performance.now() - beatSentAt,
    async close() {
      clearInterval(timer)
      listener.close()
    },
  }
}
