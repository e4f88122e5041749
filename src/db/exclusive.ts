import { Kysely, sql } from 'kysely'
import { type AdvisoryLock, lockNumber, tryLock } from './advisory-locks.ts'
import { LockTaken } from './errors.ts'
import type { ServerPostgres } from './server-postgres.ts'
import type { Db, Tables } from './tables.ts'

/** A failed attempt is rolled back and can be repeated. */
export type TransactionAttempt = <Result>(work: (tx: Db) => Promise<Result>) => Promise<Result>

interface Options {
  lock: AdvisoryLock
  limitMs: number
}

/** The lock is released when the work or its process ends. On return, all successful attempts have been committed. */
export type RunExclusive = <Result>(
  options: Options,
  work: (attempt: TransactionAttempt) => Promise<Result>,
) => Promise<Result>

interface ExclusiveWork {
  exclusive: RunExclusive
  isLocked(lock: AdvisoryLock): Promise<boolean>
}

/** Only one process uses the embedded database, so its locks are kept in memory. */
export function exclusiveInProcess(db: Db): ExclusiveWork {
  const taken = new Set<AdvisoryLock>()
  return {
    async exclusive({ lock }, work) {
      if (taken.has(lock)) throw new LockTaken(lock)
      taken.add(lock)
      try {
        return await work((attempt) => db.transaction().execute(attempt))
      } finally {
        taken.delete(lock)
      }
    },
    isLocked: async (lock) => taken.has(lock),
  }
}

/** One transaction holds the advisory lock for all attempts, which also works through a transaction pooler. */
export const exclusiveOnServer = (server: Pick<ServerPostgres, 'openAlone'>, db: Db): ExclusiveWork => ({
  async exclusive({ lock, limitMs }, work) {
    const { dialect, identify, end } = await server.openAlone(limitMs)
    try {
      return await new Kysely<Tables>({ dialect }).transaction().execute(async (tx) => {
        await identify()
        await endWithHolder(tx)
        if (!(await tryLock(tx, lock))) throw new LockTaken(lock)
        return work((attempt) => withSavepoint(tx, () => attempt(tx)))
      })
    } finally {
      await end()
    }
  },
  async isLocked(lock) {
    const { rows } = await sql<{ taken: boolean }>`SELECT EXISTS (
      SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (classid::bigint << 32) + objid::bigint = ${lockNumber(lock)}::bigint) AS taken`.execute(db)
    return rows[0]?.taken === true
  },
})

/** A frozen process does not close its connection, so PostgreSQL ends the transaction after 10 idle seconds. */
async function endWithHolder(tx: Db): Promise<void> {
  await sql`SET LOCAL idle_in_transaction_session_timeout = '10s'`.execute(tx)
  // Detects a closed connection during a long statement. Some operating systems do not support this setting.
  await withSavepoint(tx, () => sql`SET LOCAL client_connection_check_interval = '1s'`.execute(tx)).catch(() => {})
}

async function withSavepoint<Result>(tx: Db, work: () => Promise<Result>): Promise<Result> {
  await sql`SAVEPOINT attempt`.execute(tx)
  try {
    const result = await work()
    await sql`RELEASE SAVEPOINT attempt`.execute(tx)
    return result
  } catch (error) {
    // The rollback fails only if the connection is lost, in which case `error` already gives the cause.
    await sql`ROLLBACK TO SAVEPOINT attempt`.execute(tx).catch(() => {})
    throw error
  }
}
