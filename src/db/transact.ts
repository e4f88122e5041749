import type { Db } from './tables.ts'

/** What `transact` was given, with a transaction as its `db`. */
export type InTransaction<Outside> = Outside & {
  /**
   * Runs after the commit and before the caller of `transact` gets its result; never after a rollback. The transaction is
   * over by then: what needs the database gets the context outside of it.
   */
  after(effect: Effect<Outside>): void
}

type Effect<Outside> = (ctx: Outside) => Promise<void> | void

const attempts = 3

/**
 * Runs `work` in one transaction, which holds a change, its audit events and its messages. After a deadlock or a
 * serialisation failure it runs again, so `work` must do nothing outside the database.
 */
export async function transact<Outside extends { db: Db }, Result>(
  ctx: Outside,
  work: (tx: InTransaction<Outside>) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const effects: Effect<Outside>[] = []
    const after = (effect: Effect<Outside>) => void effects.push(effect)
    let result: Result
    try {
      result = await ctx.db.transaction().execute((db) => work({ ...ctx, db, after }))
    } catch (error) {
      if (attempt === attempts || !lostAConflict(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt))
      continue
    }
    // What is committed is never done again, whatever becomes of its effects.
    for (const effect of effects) await effect(ctx)
    return result
  }
}

const lostAConflict = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01')
