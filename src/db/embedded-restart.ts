import type { Engine } from './embedded-engine.ts'

const retryDelayMs = 1_000

export interface Engines {
  /** The running engine; opens a new one when the last has ended. */
  current(): Promise<Engine>
  close(): Promise<void>
}

/**
 * Keeps an engine running. When one ends by itself (a full disk, a statement beyond its limit), `onEnd` hears why, and
 * whoever comes next opens the data directory again. Without `open` the data went with the engine, and so does all use.
 */
export function keepRunning(
  first: Engine,
  open: (() => Promise<Engine>) | undefined,
  onEnd: (error: Error) => void,
): Engines {
  let engine: Promise<Engine> | undefined = Promise.resolve(first)
  watch(first)

  function watch(running: Engine): void {
    running.ended.then((error) => {
      if (!error) return
      engine = open ? undefined : Promise.reject(error)
      engine?.catch(() => {})
      onEnd(error)
    })
  }

  async function reopen(start: () => Promise<Engine>): Promise<Engine> {
    try {
      const opened = await start()
      watch(opened)
      return opened
    } catch (error) {
      // The failure is the answer for a while, so that a crowd of callers does not become a crowd of attempts.
      setTimeout(() => (engine = undefined), retryDelayMs).unref()
      throw error
    }
  }

  return {
    current: () => {
      if (!engine && open) engine = reopen(open)
      return engine!
    },
    close: async () => {
      const last = await engine?.catch(() => undefined)
      await last?.close()
    },
  }
}
