import { maxMessageLength } from './port.ts'

export interface BusHandlers {
  subscribe(channel: string, handler: (payload: string) => void): void
  onReconnect(handler: () => void): void
  deliver(channel: string, payload: string): void
  reconnected(): void
}

/** Catches handler errors so that the other handlers run and the connection stays open. */
export function createHandlers(onError: (error: unknown) => void): BusHandlers {
  const byChannel = new Map<string, ((payload: string) => void)[]>()
  const afterReconnect: (() => void)[] = []

  function guarded(call: () => void): void {
    try {
      call()
    } catch (error) {
      onError(error)
    }
  }

  return {
    subscribe(channel, handler) {
      byChannel.set(channel, [...(byChannel.get(channel) ?? []), handler])
    },
    onReconnect: (handler) => void afterReconnect.push(handler),
    deliver(channel, payload) {
      for (const handler of byChannel.get(channel) ?? []) guarded(() => handler(payload))
    },
    reconnected() {
      for (const handler of afterReconnect) guarded(handler)
    },
  }
}

// All messages share one channel, which preserves their order.

export function packMessage(channel: string, payload: string): string {
  if (channel === '' || channel.includes('\n')) throw new RangeError('a channel name must be one line')
  const message = `${channel}\n${payload}`
  if (Buffer.byteLength(message) > maxMessageLength) throw new RangeError(`a message on ${channel} is too long`)
  return message
}

export function unpackMessage(message: string): { channel: string; payload: string } {
  const end = message.indexOf('\n')
  return { channel: message.slice(0, Math.max(end, 0)), payload: message.slice(end + 1) }
}
