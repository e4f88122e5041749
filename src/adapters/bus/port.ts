/**
 * Short messages to all nodes, including the sender. Delivery is best effort: code that relies on a message must remain
 * correct, within a known time, if it is lost.
 */
export interface Bus {
  /** Rejects if the message cannot be sent, or exceeds `maxMessageLength`. */
  publish(channel: string, payload: string): Promise<void>
  /** Handlers are called in order and must not throw. */
  subscribe(channel: string, handler: (payload: string) => void): void
  /** Called after a reconnect. Messages in between are lost. */
  onReconnect(handler: () => void): void
  /**
   * The age in milliseconds of the newest beat that this node sent itself through the channel it shares with the
   * others, and heard. What was published before a beat was sent arrives before it, so nothing older is missing.
   * Without beats (PostgreSQL) the time since the connection was lost; zero for a bus that cannot lose messages.
   */
  sinceLastBeat(): number
  close(): Promise<void>
}

/** In bytes of UTF-8 including the channel, for every backend: PostgreSQL accepts less than 8,000. */
export const maxMessageLength = 7_900
