import type { Engine } from './engine.ts'

const retryDelayMs = 1_000

export interface Engines {
  current(): Promise<Engine>
  close(): Promise<void>
}

/** `onEnd` receives the reason of an unexpected end, such as a full disk. Without `open`, the data is lost. */
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
      // Caches the failure for a while, so that concurrent callers do not all retry.
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
