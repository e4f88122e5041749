/** Sends short messages to all nodes, including the sender. Best effort: callers must tolerate lost messages. */
export interface Bus {
  /** Rejects if the message cannot be sent or is longer than `maxMessageLength`. */
  publish(channel: string, payload: string): Promise<void>
  /** A channel's handlers are called in the order in which they subscribed, and must not throw. */
  subscribe(channel: string, handler: (payload: string) => void): void
  /** `handler` is called after each reconnect. Messages sent during the outage are lost. */
  onReconnect(handler: () => void): void
  /** Milliseconds since the connection was last known to work. Messages sent since then may be lost. */
  sinceLastBeat(): number
  close(): Promise<void>
}

/** In UTF-8 bytes, including the channel name. A PostgreSQL notification must be shorter than 8,000 bytes. */
export const maxMessageLength = 7_900
