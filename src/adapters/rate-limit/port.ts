/** Fixed windows that start with the first attempt. Exact under concurrency. */
export interface RateLimitStore {
  /** Counts one attempt. Keys are created by the service; client input in them is hashed or bounded. */
  hit(key: string, windowMs: number): Promise<RateCount>
  close(): Promise<void>
}

/** `count` includes this attempt. */
export interface RateCount {
  count: number
  resetsInMs: number
  /** The shared store is unavailable: half the limit applies. */
  degraded: boolean
}
