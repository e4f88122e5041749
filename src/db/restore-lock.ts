import { tryLock } from './advisory-locks.ts'
import { useFixedTexts } from './bulk/tables.ts'
import type { Database } from './connect.ts'

/**
 * A separate transaction holds the lock because, outside a transaction, a pooler may switch connections. An embedded
 * database needs no lock, because only one process can open it.
 */
export async function withRestoreLock<Result>(database: Database, work: () => Promise<Result>): Promise<Result> {
  if (database.kind === 'embedded') return work()
  let done: { result: Result } | undefined
  try {
    await database.alone((db) =>
      db.transaction().execute(async (tx) => {
        await useFixedTexts(tx)
        if (!(await tryLock(tx, 'restore')))
          throw new Error('Another restore or move is running on this database. Nothing was changed.')
        done = { result: await work() }
      }),
    )
  } catch (error) {
    // If the lock's connection was lost after the work, the error is ignored: this transaction has nothing to commit.
    if (!done) throw error
  }
  return done!.result
}
