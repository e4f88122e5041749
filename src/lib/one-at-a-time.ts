/**
 * Returns a function that runs `work`, but never concurrently. A call during a run causes another run because the
 * current run may have read an earlier state.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const start = () => {
    next = undefined
    running = work().finally(() => {
      running = undefined
    })
    return running
  }
  return () => {
    if (!running) return start()
    next ??= running.catch(() => {}).then(start)
    return next
  }
}
