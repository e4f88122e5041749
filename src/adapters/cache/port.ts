/**
 * A shared cache of values that can always be read from the database. Losing entries only affects speed. Entries belong
 * to an owner (a user), whose epoch invalidates all of them. If the store does not answer, calls reject quickly.
 */
export interface Cache {
  /** Undefined if the entry has expired, or the owner's epoch has risen. */
  get(key: string): Promise<string | undefined>
  /**
   * Stores `value` for `lifetime` milliseconds, unless a newer epoch of `owner` is known, so that a read that started
   * before a change cannot restore the old state. Also raises the epoch.
   */
  setUnlessOlder(entry: CacheEntry): Promise<void>
  /** Invalidates entries with a lower epoch, including those whose read is in progress. */
  raiseEpoch(owner: string, epoch: number): Promise<void>
  close(): Promise<void>
}

/** `owner` contains no line break; `lifetime` in milliseconds, shorter than `epochLifetime`. */
export interface CacheEntry {
  key: string
  owner: string
  epoch: number
  value: string
  lifetime: number
}

/** In milliseconds. Longer than the lifetime of entries and the time of any read. */
export const epochLifetime = 120_000
