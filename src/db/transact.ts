import type { Db } from './tables.ts'

/** A change under way: what it writes goes to `db`; what must follow the commit is told to `after`. */
export interface Transaction {
  db: Db
  /** Runs once the change is committed, before the caller gets its result; never when it is rolled back. */
  after(effect: () => Promise<void> | void): void
}

const attempts = 3

/**
 * One transaction that holds a change, its trace and its messages. When PostgreSQL picks it as the loser of a deadlock
 * or a serialisation conflict it runs again, so `work` must do nothing outside the database.
 */
export async function transact<Result>(db: Db, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const effects: (() => Promise<void> | void)[] = []
    let result: Result
    try {
      result = await db
        .transaction()
        .execute((transaction) => work({ db: transaction, after: (effect) => effects.push(effect) }))
    } catch (error) {
      if (attempt === attempts || !lostAConflict(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt))
      continue
    }
    // What is committed is never done again, whatever becomes of its effects.
    for (const effect of effects) await effect()
    return result
  }
}

const lostAConflict = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01')
