const lifetimeMs = 600_000
const maxStates = 10_000

/**
 * States that were used in this process. The service accepts a code once and treats a second use as theft, which ends
 * the session. A browser that sends the same request twice must therefore not reach the service twice.
 */
export interface UsedStates {
  /** False if the state was already used. */
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
