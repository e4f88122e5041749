import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { minute } from '../lib/time.ts'
import { findLock, releaseLock, takeLock } from './queries.ts'

/** Longer than any run may take: what still holds it then is dead. */
const lease = 15 * minute

/** One run at a time in the whole database; whoever comes meanwhile is told so. */
export async function underLock<Result>(ctx: Context, runId: string, work: () => Promise<Result>): Promise<Result> {
  const now = ctx.clock.now()
  const lock = { run_id: runId, holder: ctx.node, acquired_at: new Date(now), expires_at: new Date(now + lease) }
  if (!(await takeLock(ctx.db, lock))) throw await heldByOther(ctx)
  try {
    return await work()
  } finally {
    // Whoever cannot give it back any more leaves it to the lease.
    await releaseLock(ctx.db, runId).catch((error) => ctx.log.error({ err: error }, 'the lock of modules stays'))
  }
}

async function heldByOther(ctx: Context): Promise<AppError> {
  const held = await findLock(ctx.db)
  const until = held?.expires_at ?? new Date(ctx.clock.now())
  return installLocked(until)
}

export const installLocked = (until: Date): AppError =>
  new AppError('INSTALL_LOCKED', {
    details: [{ field: 'lock', message: `held until ${until.toISOString()}` }],
    retryAfter: 5,
  })
