/** Runs `work` when woken, one run at a time; a wake-up during a run causes another run. */
export function pump(work: () => Promise<void>, onError: (error: unknown) => void) {
  let running: Promise<void> | undefined
  let again = false
  const wake = () => {
    if (running) {
      again = true
      return
    }
    again = false
    running = work()
      .catch(onError)
      .finally(() => {
        running = undefined
        if (again) wake()
      })
  }
  return { wake, idle: async () => running }
}
