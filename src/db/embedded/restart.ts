import type { EmbeddedEngine } from './engine.ts'

const retryDelayMs = 1_000

export interface EngineSupervisor {
  current(): Promise<EmbeddedEngine>
  close(): Promise<void>
}

/**
 * If the engine ends, for example because the disk is full, `open` starts another one. Without `open`, the data is
 * lost.
 */
export function superviseEngine(
  first: EmbeddedEngine,
  open: (() => Promise<EmbeddedEngine>) | undefined,
  onEnd: (error: Error) => void,
): EngineSupervisor {
  let engine: Promise<EmbeddedEngine> | undefined = Promise.resolve(first)
  watch(first)

  function watch(running: EmbeddedEngine): void {
    running.ended.then((error) => {
      if (!error) return
      engine = open ? undefined : Promise.reject(error)
      engine?.catch(() => {})
      onEnd(error)
    })
  }

  async function reopen(start: () => Promise<EmbeddedEngine>): Promise<EmbeddedEngine> {
    try {
      const opened = await start()
      watch(opened)
      return opened
    } catch (error) {
      // Caches the failure briefly so that concurrent callers do not all retry.
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
