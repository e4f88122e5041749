/** Counts work that is running, so that less urgent work can wait for it. */
export function trackWork() {
  let running = 0
  let waiting: (() => void)[] = []

  return {
    async during<Result>(work: () => Promise<Result>): Promise<Result> {
      running++
      try {
        return await work()
      } finally {
        running--
        if (running === 0) {
          for (const resume of waiting) resume()
          waiting = []
        }
      }
    },
    /** Resolves when no work is running. */
    async idle(): Promise<void> {
      if (running > 0) await new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
}
