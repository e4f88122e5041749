/** Short messages to all nodes, including the sender. Delivery is best effort, so callers must tolerate losses. */
export interface Bus {
  /** Rejects if the message cannot be sent, or exceeds `maxMessageLength`. */
  publish(channel: string, payload: string): Promise<void>
  /** Handlers are called in order and must not throw. */
  subscribe(channel: string, handler: (payload: string) => void): void
  /** Called after a reconnect. Messages in between are lost. */
  onReconnect(handler: () => void): void
  /** How long messages may have been missing, in milliseconds: the age of the newest beat received back. */
  sinceLastBeat(): number
  close(): Promise<void>
}

/** In bytes of UTF-8 including the channel. PostgreSQL accepts less than 8,000. */
export const maxMessageLength = 7_900
