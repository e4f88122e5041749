import type { Db } from '../db/tables.ts'
import type { Logger } from '../lib/log.ts'
import { type Clock, second } from '../lib/time.ts'
import { type WrittenUse, writeLastUse } from './queries.ts'

const maxCollected = 50_000

type OnWritten = (written: WrittenUse, at: Date) => void

/** Validating a session does not write to the database. Once a second, the writer stores the times of last use. */
export function createLastUseWriter(db: Db, clock: Clock, log: Logger) {
  let used = new Set<string>()
  let onWritten: OnWritten = () => {}
  const flush = async () => {
    if (used.size === 0) return
    const ids = [...used]
    used = new Set()
    const at = new Date(clock.now())
    try {
      for (const written of await writeLastUse(db, ids, at)) onWritten(written, at)
    } catch (error) {
      // There is no retry, because the next use of the session is recorded anyway.
      log.warn({ err: error }, 'could not record the last use of sessions')
    }
  }
  const timer = setInterval(flush, second).unref()
  return {
    note: (sessionId: string) => {
      if (used.size < maxCollected) used.add(sessionId)
    },
    /** The callback is called for every use that this process has written. */
    onWritten: (callback: OnWritten) => {
      onWritten = callback
    },
    stop: () => {
      clearInterval(timer)
      return flush()
    },
  }
}
