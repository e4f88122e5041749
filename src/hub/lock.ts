import type { Context } from '../context.ts'
import { LockTaken } from '../db/errors.ts'
import type { TransactionAttempt } from '../db/exclusive.ts'
import { AppError } from '../lib/errors.ts'
import { minute } from '../lib/time.ts'
import type { Hub } from './hub.ts'
import { findLock, isHubComplete, releaseLock, writeLock } from './queries.ts'

/** Only shown to the caller of a rejected run. Exceeds the duration of any run (MODULE_RUN_TIMEOUT). */
const lease = 15 * minute

/** The advisory lock is released when the process ends. The row in `module_hub_locks` only identifies the process. */
export async function underLock<Result>(
  ctx: Context,
  hub: Hub,
  run: { id: string; deadline: number },
  work: (attempt: TransactionAttempt) => Promise<Result>,
): Promise<Result> {
  const limitMs = Math.max(1, run.deadline - performance.now())
  const now = ctx.clock.now()
  const lock = { run_id: run.id, holder: ctx.node, acquired_at: new Date(now), expires_at: new Date(now + lease) }
  let isHeld = false
  try {
    return await hub.exclusive({ lock: 'moduleRun', limitMs }, async (attempt) => {
      isHeld = true
      await writeLock(ctx.db, lock)
      return work(attempt)
    })
  } catch (error) {
    throw error instanceof LockTaken && !isHeld ? await installLocked(ctx) : error
  } finally {
    if (isHeld) {
      await releaseLock(ctx.db, run.id).catch((error) =>
        ctx.log.warn({ err: error }, 'could not delete the row of a module lock'),
      )
    }
  }
}

export async function assertHubUnlocked(ctx: Context, hub: Hub): Promise<void> {
  if (await hub.isLocked('moduleRun')) throw await installLocked(ctx)
}

async function installLocked(ctx: Context): Promise<AppError> {
  const now = ctx.clock.now()
  const row = (await isHubComplete(ctx.db)) ? await findLock(ctx.db) : undefined
  // The row may be missing because a run takes the lock before it writes the row.
  const until = row && row.expires_at.getTime() > now ? row.expires_at : new Date(now + lease)
  return new AppError('INSTALL_LOCKED', {
    details: [{ field: 'lock', message: `held until ${until.toISOString()}` }],
    retryAfter: 5,
  })
}
