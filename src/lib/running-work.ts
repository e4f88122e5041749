/** Counts work that is running, so that less urgent work can wait for it. */
export function trackWork() {
  let running = 0
  const waiting = new Set<() => void>()

  return {
    async during<Result>(work: () => Promise<Result>): Promise<Result> {
      running++
      try {
        return await work()
      } finally {
        running--
        if (running === 0) for (const resume of waiting) resume()
      }
    },
    /** Resolves when no work is running, but after `limit` milliseconds at the latest. */
    async idle(limit: number): Promise<void> {
      if (running === 0) return
      await new Promise<void>((resolve) => {
        const resume = () => {
          clearTimeout(timer)
          waiting.delete(resume)
          resolve()
        }
        const timer = setTimeout(resume, limit)
        waiting.add(resume)
      })
    },
  }
}
