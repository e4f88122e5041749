const lifetimeMs = 600_000
const maxStates = 10_000

/**
 * The states of callbacks that this process has handled. The service accepts a code only once. If it receives the code
 * again, it ends the session because the code may have been stolen. A browser's repeated callback request must
 * therefore not reach the service.
 */
export interface UsedStates {
  /** Returns false if the state has already been used. */
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
