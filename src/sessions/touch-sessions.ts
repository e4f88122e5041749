import type { Db } from '../db/tables.ts'
import type { Logger } from '../lib/log.ts'
import { type Clock, second } from '../lib/time.ts'
import { writeLastUse } from './queries.ts'

const maxCollected = 50_000

/** Last uses, collected and written in one statement a second: validation itself writes nothing. */
export function collectUses(db: Db, clock: Clock, log: Logger) {
  let used = new Set<string>()
  const flush = async () => {
    if (used.size === 0) return
    const ids = [...used]
    used = new Set()
    // A use that cannot be written is noted again with the session's next use.
    await writeLastUse(db, ids, new Date(clock.now())).catch((error) =>
      log.warn({ err: error }, 'last use could not be written'),
    )
  }
  const timer = setInterval(flush, second).unref()
  return {
    note: (sessionId: string) => {
      if (used.size < maxCollected) used.add(sessionId)
    },
    stop: () => {
      clearInterval(timer)
      return flush()
    },
  }
}
