export interface BusHandlers {
  subscribe(channel: string, handler: (payload: string) => void): void
  onReconnect(handler: () => void): void
  deliver(channel: string, payload: string): void
  reconnected(): void
}

/** A throwing handler must not prevent the others from being called, nor break the connection. */
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
