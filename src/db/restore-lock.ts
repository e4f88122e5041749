import { tryLock } from './advisory-locks.ts'
import { useFixedTexts } from './bulk/tables.ts'
import type { Database } from './connect.ts'

/**
 * Runs a restore or move, which has its own transactions and which only one process may run at a time. The lock belongs
 * to a transaction, because a pooler may use other connections outside of it. Only one process can open the embedded
 * database.
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
    // The connection that holds the lock may be lost while the work runs. Its transaction has nothing to commit.
    if (!done) throw error
  }
  return done!.result
}
