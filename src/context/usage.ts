export const usageKinds = ['bridge_secret', 'rate_limit', 'application'] as const

export type UsageKind = (typeof usageKinds)[number]

/** Callers increment `count`. The writer resets it. */
export interface UsageCounter {
  count: number
}

/** Counts in memory, so that counting a request costs no query. */
export interface Usage {
  counterOf(kind: UsageKind, name: string): UsageCounter
  /** Stores the counts. Called once a minute, and when the process stops. */
  flush(): Promise<void>
}
