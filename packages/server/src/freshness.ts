/**
 * When a session is served from memory, every revocation older than this is known. All times in this file are in
 * milliseconds.
 */
export const maxKnowledgeAge = 900
/** The maximum drift between two machines' clocks, as a fraction of the elapsed time. */
const maxDrift = 0.001
/** An upper bound on the rounding errors and on the drift within `maxKnowledgeAge`. */
const margin = 2

/** Asserts that at `time` on the service's clock, every revocation committed by `time - age` had been sent. */
export interface Heartbeat {
  process: string
  time: number
  age: number
}

/**
 * Computes the time until which cached sessions may be served, on this process's monotonic clock.
 *
 * The stream alone does not show how long a heartbeat was in transit: a proxy may have delayed it for minutes. A
 * request and its response provide a bound. The service read its clock after the request was sent, so the service's
 * clock is at most `time - askedAt` ahead of this process's clock. With this bound, a heartbeat's age is never
 * underestimated, however late it arrives.
 */
export class Freshness {
  #process = ''
  /** An upper bound on the service's clock minus this process's clock, and when it was measured. */
  #ahead = { bound: Number.POSITIVE_INFINITY, at: 0 }
  #until = Number.NEGATIVE_INFINITY

  /**
   * Starts over with a new stream. `process` identifies the service process that sends the stream. `askedAt` is the
   * time at which the stream was requested.
   */
  begin(process: string, askedAt: number, time: number): void {
    this.#process = process
    this.#ahead = { bound: time - askedAt, at: askedAt }
    this.#until = Number.NEGATIVE_INFINITY
  }

  end(): void {
    this.#process = ''
    this.#until = Number.NEGATIVE_INFINITY
  }

  /**
   * Measures the difference between the clocks again, with another request and its response. Ignores responses from the
   * service's other processes, which have different clocks. Returns false if the response contradicts the stream: the
   * process read its clock before the response was received, so the clock is further ahead than the stream allows. The
   * stream is then a replayed recording, or one of the clocks was stopped or adjusted, and it must be reopened.
   */
  measured(process: string, askedAt: number, time: number, receivedAt: number): boolean {
    if (process !== this.#process) return true
    if (time - receivedAt > this.#aheadAt(receivedAt) + margin) return false
    const bound = time - askedAt
    // A measurement from a fast request is more precise, even if it is older.
    if (bound <= this.#aheadAt(askedAt)) this.#ahead = { bound, at: askedAt }
    return true
  }

  /**
   * Returns false if the heartbeat comes from another process, or if it contradicts the measurements because one of the
   * clocks was stopped or adjusted. The stream must then be reopened.
   */
  heartbeat({ process, time, age }: Heartbeat, receivedAt: number): boolean {
    if (process !== this.#process) return false
    const bound = this.#aheadAt(receivedAt)
    if (time - receivedAt > bound + margin) return false
    this.#until = Math.max(this.#until, time - age - bound + maxKnowledgeAge - margin)
    return true
  }

  get until(): number {
    return this.#until
  }

  /** When the service's clock was last measured. */
  get measuredAt(): number {
    return this.#ahead.at
  }

  #aheadAt(now: number): number {
    return this.#ahead.bound + (now - this.#ahead.at) * maxDrift
  }
}
