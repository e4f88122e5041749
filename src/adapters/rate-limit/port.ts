/** Uses fixed windows that start with the first attempt. Concurrent attempts are counted exactly. */
export interface RateLimitStore {
  /** Counts one attempt. The service creates the keys; any client input in them is hashed or bounded. */
  hit(key: string, windowMs: number): Promise<RateCount>
  close(): Promise<void>
}

/** `count` includes this attempt. */
export interface RateCount {
  count: number
  resetsInMs: number
  /** True if the shared store is unavailable. Half the limit then applies. */
  degraded: boolean
}
