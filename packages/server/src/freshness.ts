/** Maximum age of our knowledge of revocations when a session is served from memory. All times are in milliseconds. */
export const maxKnowledgeAge = 900
/** Maximum drift between the clocks of two machines, as a fraction of the elapsed time. */
const maxDrift = 0.001
/** Upper bound of rounding and of the drift within `maxKnowledgeAge`. */
const margin = 2

/** A heartbeat: at `time` on the service's clock, every revocation committed `age` earlier had been sent. */
export interface Heartbeat {
  process: string
  time: number
  age: number
}

/**
 * The time until which the cache may be served, on the monotonic clock of this process.
 *
 * The stream alone does not show how long a heartbeat was in transit. A proxy may have delayed it for minutes. A
 * request and its response provide a bound: the service read its clock after the request was sent, so its clock is at
 * most `time - askedAt` ahead of ours. The age of a heartbeat is therefore never underestimated, however late it
 * arrives.
 */
export class Freshness {
  #process = ''
  /** An upper bound of the service's clock minus ours, and the time of its measurement. */
  #ahead = { bound: Number.POSITIVE_INFINITY, at: 0 }
  #until = Number.NEGATIVE_INFINITY

  /** A stream has started in this process. `askedAt` is the time before its request was sent. */
  begin(process: string, askedAt: number, time: number): void {
    this.#process = process
    this.#ahead = { bound: time - askedAt, at: askedAt }
    this.#until = Number.NEGATIVE_INFINITY
  }

  end(): void {
    this.#process = ''
    this.#until = Number.NEGATIVE_INFINITY
  }

  /** Another request and its response. Responses from other processes are ignored, because these have other clocks. */
  measured(process: string, askedAt: number, time: number): void {
    if (process !== this.#process) return
    const bound = time - askedAt
    // An older measurement can be tighter if its request was faster.
    if (bound <= this.#aheadAt(askedAt)) this.#ahead = { bound, at: askedAt }
  }

  /**
   * Returns false if the heartbeat contradicts the measurements. In that case, one of the clocks was stopped or
   * set, and the stream must restart.
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

  /** Time of the last measurement of the service's clock. */
  get measuredAt(): number {
    return this.#ahead.at
  }

  #aheadAt(now: number): number {
    return this.#ahead.bound + (now - this.#ahead.at) * maxDrift
  }
}
