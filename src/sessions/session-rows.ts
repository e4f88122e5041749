import type { CachedSession, Context } from '../context.ts'
import { userColumns } from '../users/columns.ts'
import { batchLookup } from './batch-lookup.ts'
import { sessionLookup, writtenSinceRead } from './cache-queries.ts'

/** Lookups in batches, for the columns of the moment: modules may add some while the service runs. */
export function sessionRows({ db, clock, modules }: Pick<Context, 'db' | 'clock' | 'modules'>) {
  let known = ''
  let statements: ReturnType<typeof statementsFor>
  const statementsFor = (columns: readonly string[]) => {
    const find = sessionLookup(columns)
    const findWritten = writtenSinceRead(columns)
    return {
      writtenSinceRead: (cached: CachedSession[]) => findWritten(db, cached),
      // The age of a copy counts from before the read: what changes while it is under way is newer.
      readAll: (hashes: readonly string[]) => find(db, hashes, clock.now()),
      read: batchLookup((hashes: string[]) => find(db, hashes, clock.now())),
      confirm: batchLookup(async (cached: CachedSession[]) => {
        const readAt = clock.now()
        const outdated = await findWritten(db, cached)
        return { get: ({ tokenHash }) => (outdated.has(tokenHash) ? undefined : readAt) }
      }),
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
    /** The rows with these hashes, by one statement. */
    readAll: (hashes: readonly string[]) => current().readAll(hashes),
    /** The row with this hash. */
    read: (tokenHash: string) => current().read(tokenHash),
    /** The time from which the copy is known to be the current state of its rows; undefined when it is not. */
    confirm: (cached: CachedSession) => current().confirm(cached),
  }
}
