/**
 * Short messages from one node to all nodes of the deployment, the sender included. Delivery is best effort: whoever
 * relies on a message must stay correct, within a known time, when it never comes.
 */
export interface Bus {
  /** Rejects when the message could not be handed over, or is longer than `longestMessage`. */
  publish(channel: string, payload: string): Promise<void>
  /** Handlers are called in order of arrival and must not throw. */
  subscribe(channel: string, handler: (payload: string) => void): void
  /** Called after the connection was lost and is back: messages of the time between are gone. */
  onReconnect(handler: () => void): void
  /**
   * The age in milliseconds of the newest beat that this node sent itself through the channel it shares with the
   * others, and heard. What was published before a beat was sent arrives before it, so nothing older is missing.
   * Without beats (PostgreSQL) the time since the connection was lost; zero for a bus that cannot lose messages.
   */
  sinceLastBeat(): number
  close(): Promise<void>
}

/** In bytes of UTF-8, channel included, on every backend: PostgreSQL takes less than 8,000. */
export const maxMessageLength = 7_900
