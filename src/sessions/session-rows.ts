import type { Context, SessionCopy } from '../context.ts'
import { userColumns } from '../users/columns.ts'
import { batchLookup } from './batch-lookup.ts'
import { sessionLookup, writtenSinceRead } from './copy-queries.ts'

/** Lookups in batches, for the columns of the moment: modules may add some while the service runs. */
export function sessionRows({ db, clock, modules }: Pick<Context, 'db' | 'clock' | 'modules'>) {
  let known = ''
  let statements: ReturnType<typeof statementsFor>
  const statementsFor = (columns: readonly string[]) => {
    const find = sessionLookup(columns)
    const findWritten = writtenSinceRead(columns)
    return {
      writtenSinceRead: (copies: SessionCopy[]) => findWritten(db, copies),
      // The age of a copy counts from before the read: what changes while it is under way is newer.
      readAll: (hashes: readonly string[]) => find(db, hashes, clock.now()),
      read: batchLookup((hashes: string[]) => find(db, hashes, clock.now())),
      confirm: batchLookup(async (copies: SessionCopy[]) => {
        const readAt = clock.now()
        const outdated = await findWritten(db, copies)
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
    writtenSinceRead: (copies: SessionCopy[]) => current().writtenSinceRead(copies),
    /** The rows with these hashes, by one statement. */
    readAll: (hashes: readonly string[]) => current().readAll(hashes),
    /** The row with this hash. */
    read: (tokenHash: string) => current().read(tokenHash),
    /** The time from which the copy is known to be the current state of its rows; undefined when it is not. */
    confirm: (copy: SessionCopy) => current().confirm(copy),
  }
}
