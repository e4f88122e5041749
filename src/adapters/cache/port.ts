/**
 * A shared copy of values that the database can always give again. Losing every entry at any moment changes nothing
 * but speed. Entries belong to an owner (a user) whose epoch outdates all of them at once. A store that does not
 * answer rejects quickly, and the caller asks the database.
 */
export interface Cache {
  /** The value stored under `key`, unless it has expired or its owner's epoch has risen above the one it carries. */
  get(key: string): Promise<string | undefined>
  /**
   * Stores `value` for `lifetime` milliseconds, unless a newer epoch of `owner` is known: a fill that started before
   * a change can never bring the old state back. A fill that carries a newer epoch makes that one known.
   */
  setUnlessOlder(entry: CacheEntry): Promise<void>
  /** Outdates every entry of `owner` that carries a lower epoch than this one, including fills still under way. */
  raiseEpoch(owner: string, epoch: number): Promise<void>
  close(): Promise<void>
}

/** `owner` holds no line break; `lifetime` is in milliseconds and shorter than `epochLifetime`. */
export interface CacheEntry {
  key: string
  owner: string
  epoch: number
  value: string
  lifetime: number
}

/** How long an epoch is remembered: longer than any entry lives and any fill is under way. */
export const epochLifetime = 120_000
