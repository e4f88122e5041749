import type { CachedSession, Context } from '../context.ts'
import { batchLookup } from '../db/batch-lookup.ts'
import { userColumns } from '../users/columns.ts'
import { sessionLookup, writtenSinceRead } from './cache-queries.ts'

/** Reads sessions in batches. The columns depend on the installed modules and may change at run time. */
export function createSessionReader({ db, clock, modules }: Pick<Context, 'db' | 'clock' | 'modules'>) {
  let known = ''
  let statements: ReturnType<typeof statementsFor>
  const statementsFor = (columns: readonly string[]) => {
    const find = sessionLookup(columns)
    const findWritten = writtenSinceRead(columns)
    return {
      writtenSinceRead: (cached: CachedSession[]) => findWritten(db, cached),
      // A session's age is measured from the start of the read, because the result may lack changes made during the
      // read.
      readAll: (hashes: readonly string[]) => find(db, hashes, clock.now()),
      read: batchLookup((hashes: string[]) => find(db, hashes, clock.now())),
    }
  }
  const current = () => {
    const columns = userColumns(modules)
    const key = columns.join()
    if (key !== known) {
      known = key
      statements = statementsFor(columns)
    }
    return statements
  }
  return {
    writtenSinceRead: (cached: CachedSession[]) => current().writtenSinceRead(cached),
    readAll: (hashes: readonly string[]) => current().readAll(hashes),
    read: (tokenHash: string) => current().read(tokenHash),
  }
}
