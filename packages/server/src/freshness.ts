/** How old knowledge of revocations may be when a session is served from memory. Milliseconds, as everywhere here. */
export const maxKnowledgeAge = 900
/** By how much the clocks of two machines may run apart, as a share of the time that passes. */
const maxDrift = 0.001
/** What rounding and the drift within `maxKnowledgeAge` amount to at most. */
const margin = 2

/** A heartbeat: at `time` on the clock of the service's process, every revocation committed `age` before had been sent. */
export interface Heartbeat {
  process: string
  time: number
  age: number
}

/**
 * Until when the cache may be served, on this process's monotonic clock.
 *
 * A stream cannot say how long a heartbeat was under way: a proxy may have kept it for minutes. A request and its reply
 * can: the service read its clock after the request was sent, so its clock is at most `time - askedAt` ahead of ours.
 * With this bound the age of a heartbeat is never underestimated, however late it arrives.
 */
export class Freshness {
  #process = ''
  /** An upper bound of the service's clock minus ours, and when it was measured. */
  #ahead = { bound: Number.POSITIVE_INFINITY, at: 0 }
  #until = Number.NEGATIVE_INFINITY

  /** A stream of this process has begun; `askedAt` is from before its request was sent. */
  begin(process: string, askedAt: number, time: number): void {
    this.#process = process
    this.#ahead = { bound: time - askedAt, at: askedAt }
    this.#until = Number.NEGATIVE_INFINITY
  }

  end(): void {
    this.#process = ''
    this.#until = Number.NEGATIVE_INFINITY
  }

  /** Another request and its reply. One that another process answered says nothing about this clock. */
  measured(process: string, askedAt: number, time: number): void {
    if (process !== this.#process) return
    const bound = time - askedAt
    // An older measurement may be the better one, by the time that its request was under way.
    if (bound <= this.#aheadAt(askedAt)) this.#ahead = { bound, at: askedAt }
  }

  /** False when the heartbeat contradicts the measurements: a clock was stopped or set, and both must begin anew. */
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

  /** When the clock of the service was measured last. */
  get measuredAt(): number {
    return this.#ahead.at
  }

  #aheadAt(now: number): number {
    return this.#ahead.bound + (now - this.#ahead.at) * maxDrift
  }
}
