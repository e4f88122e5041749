import type { Owner } from '../../lib/versioned-cache.ts'

/**
 * A shared cache for values that can always be reread from the database. Calls reject if the store does not respond in
 * time.
 */
export interface Cache {
  /** Undefined if the entry is missing or has expired, or if the epoch of any owner is unknown or has been raised. */
  get(key: string): Promise<string | undefined>
  /** Does nothing if a newer epoch of any owner is known. A slow read therefore cannot restore an outdated value. */
  setUnlessOlder(entry: CacheEntry): Promise<void>
  /** Invalidates the owner's entries from lower epochs, including values still being read from the database. */
  raiseEpoch(owner: string, epoch: number): Promise<void>
  close(): Promise<void>
}

/** `lifetime` is in milliseconds and shorter than `epochLifetime`. */
export interface CacheEntry {
  key: string
  owners: readonly Owner[]
  value: string
  lifetime: number
}
