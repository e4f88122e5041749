const lifetimeMs = 600_000
const maxStates = 10_000

/**
 * States that were used in this process. The service accepts a code once, and takes a second use for theft: it ends the
 * session of the first. So a browser that asks twice must not reach it twice.
 */
export interface UsedStates {
  /** False when it was used before. */
  add(state: string): boolean
  delete(state: string): void
}

export function usedStates(): UsedStates {
  const times = new Map<string, number>()
  return {
    add(state) {
      if (times.has(state)) return false
      for (const [oldest, time] of times) {
        if (times.size < maxStates && time > Date.now() - lifetimeMs) break
        times.delete(oldest)
      }
      times.set(state, Date.now())
      return true
    },
    delete: (state) => void times.delete(state),
  }
}
