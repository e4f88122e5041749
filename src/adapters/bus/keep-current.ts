import type { Logger } from '../../lib/log.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import type { Bus } from './port.ts'

interface Source {
  channel: string
  /** Milliseconds. The state is read at this interval even without a message, because messages may be lost. */
  every: number
  /** What is read, as a word in log messages: `the installed modules`. */
  what: string
  read(): Promise<void>
}

export interface KeptCurrent {
  refresh(): Promise<void>
  /** Logs errors instead of throwing them. */
  refreshInBackground(): void
  /** Call this after a change was committed. Reads the state on this node and notifies the other nodes. */
  refreshAll(): Promise<void>
  stop(): void
}

/** Keeps a copy in memory current, so that requests need no query. Reads never overlap. The first read is the caller's. */
export function keepCurrent(
  { bus, log }: { bus: Bus; log: Logger },
  { channel, every, what, read }: Source,
): KeptCurrent {
  const refresh = oneAtATime(read)
  let stopped = false
  const refreshInBackground = () =>
    void refresh().catch((error) => {
      // Failures during shutdown are expected.
      if (!stopped) log.warn({ err: error }, `could not read ${what}`)
    })
  bus.subscribe(channel, refreshInBackground)
  bus.onReconnect(refreshInBackground)
  const timer = setInterval(refreshInBackground, every).unref()
  return {
    refresh,
    refreshInBackground,
    async refreshAll() {
      await refresh()
      await bus
        .publish(channel, '')
        .catch((error) => log.warn({ err: error }, `could not notify other nodes of changes to ${what}`))
    },
    stop() {
      stopped = true
      clearInterval(timer)
    },
  }
}
