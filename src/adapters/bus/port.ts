/** Sends short messages to all nodes, including the sender. Best effort: callers must tolerate lost messages. */
export interface Bus {
  /** Rejects if the message cannot be sent or is longer than `maxMessageLength`. */
  publish(channel: string, payload: string): Promise<void>
  /** Handlers are called in order and must not throw. */
  subscribe(channel: string, handler: (payload: string) => void): void
  /** Called after a reconnect. Messages sent during the outage are lost. */
  onReconnect(handler: () => void): void
  /** Milliseconds since the connection was last known to work. Messages sent since then may be lost. */
  sinceLastBeat(): number
  close(): Promise<void>
}

/** In UTF-8 bytes, including the channel name. PostgreSQL limits notifications to fewer than 8,000 bytes. */
export const maxMessageLength = 7_900
