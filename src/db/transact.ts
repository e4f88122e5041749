import type { Logger } from '../lib/log.ts'
import type { Db } from './tables.ts'

export type InTransaction<Outside> = Outside & {
  /** Runs `effect` after the commit, with the outer context, because the transaction has ended by then. */
  after(effect: Effect<Outside>): void
  /** Runs `effect` with the outer context after a rollback that is not retried, for example to record a denial. */
  afterRollback(effect: Effect<Outside>): void
}

type Effect<Outside> = (ctx: Outside) => Promise<void> | void

const attempts = 3

/** Retries after deadlocks and serialization failures, so `work` must have no effects outside the database. */
export async function transact<Outside extends { db: Db; log: Logger }, Result>(
  ctx: Outside,
  work: (tx: InTransaction<Outside>) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const effects: Effect<Outside>[] = []
    const after = (effect: Effect<Outside>) => void effects.push(effect)
    const rejections: Effect<Outside>[] = []
    const afterRollback = (effect: Effect<Outside>) => void rejections.push(effect)
    let result: Result
    try {
      result = await ctx.db.transaction().execute((db) => work({ ...ctx, db, after, afterRollback }))
    } catch (error) {
      if (attempt === attempts || !lostAConflict(error)) {
        for (const effect of rejections) await logFailure(ctx, effect)
        throw error
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt))
      continue
    }
    // Effects run outside the retried part so that a failed effect does not repeat the transaction.
    for (const effect of effects) await effect(ctx)
    return result
  }
}

/** A failed effect is only logged so that the caller receives the original error. */
async function logFailure<Outside extends { log: Logger }>(ctx: Outside, effect: Effect<Outside>): Promise<void> {
  try {
    await effect(ctx)
  } catch (error) {
    ctx.log.error({ err: error }, 'could not record why a transaction was rolled back')
  }
}

const lostAConflict = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01')
