import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { minute } from '../lib/time.ts'
import { clearLock, findLock, isHubComplete, releaseLock, takeLock } from './queries.ts'

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

/** At the start of a process that has the database for itself: what holds the lock was killed. */
export async function forgetLock(ctx: Context): Promise<void> {
  if (await isHubComplete(ctx.db)) await clearLock(ctx.db)
}

/** Refuses while a run is under way. */
export async function assertUnlocked(ctx: Context): Promise<void> {
  const held = (await isHubComplete(ctx.db)) ? await findLock(ctx.db) : undefined
  if (held && held.expires_at.getTime() > ctx.clock.now()) throw installLocked(held.expires_at)
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
