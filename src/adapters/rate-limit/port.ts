/** Counts attempts in fixed windows that start with the first attempt. Exact under parallel calls. */
export interface RateLimitStore {
  /**
   * Counts one attempt under `key` and says where the window stands. Keys are made by the service, and what a client
   * chose in them is hashed or bounded.
   */
  hit(key: string, windowMs: number): Promise<RateCount>
  close(): Promise<void>
}

/** `count` includes the attempt just made; `resetsInMs` is the rest of the window. */
export interface RateCount {
  count: number
  resetsInMs: number
  /** The shared store is down and this process counts alone: half the limit applies. */
  degraded: boolean
}
