import { createHandlers, packMessage } from './handlers.ts'
import type { Bus } from './port.ts'

export function createLocalBus(onError: (error: unknown) => void): Bus {
  const handlers = createHandlers(onError)
  return {
    async publish(channel, payload) {
      packMessage(channel, payload)
      handlers.deliver(channel, payload)
    },
    subscribe: handlers.subscribe,
    onReconnect: handlers.onReconnect,
    sinceLastBeat: () => 0,
    async close() {},
  }
}
