import type { Logger } from '../../lib/log.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import type { Bus } from './port.ts'

interface Source {
  channel: string
  /** In milliseconds. The state is read at this interval even without a message, because messages may be lost. */
  every: number
  what: string
  read(): Promise<void>
}

export interface KeptCurrent {
  refresh(): Promise<void>
  refreshInBackground(): void
  /** Call this after committing a change. Reads the state on this node and notifies the other nodes. */
  refreshAll(): Promise<void>
  stop(): void
}

/**
 * Refreshes in-memory state when a message arrives and at a regular interval. The caller starts the first read. Reads
 * never overlap.
 */
export function keepCurrent(
  { bus, log }: { bus: Bus; log: Logger },
  { channel, every, what, read }: Source,
): KeptCurrent {
  const refresh = oneAtATime(read)
  let stopped = false
  const refreshInBackground = () =>
    void refresh().catch((error) => {
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
