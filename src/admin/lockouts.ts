import { readEventFilter } from '../audit/event-filter.ts'
import type { AuditEvent } from '../audit/events.ts'
import { findLabels, findNewestTargets } from '../audit/queries.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context, SessionView } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { iso } from '../lib/time.ts'
import { assertRecentProof } from '../sessions/session.ts'
import { findLocks, findThrottles, liftLock, throttlePeriod } from '../users/account-throttle.ts'
import { type SignedInRequest, withLockedTarget } from './locked-target.ts'

/** Bounds the work per request during an attack on many accounts. */
const maxEvents = 1_000

/**
 * The counters contain no user ids, so the accounts are found through audit events. Locked superadmins are visible only
 * to superadmins.
 */
export async function listLockouts(ctx: Context, viewer: { user_type: string }) {
  const { LOCKOUT_DURATION: period } = ctx.config
  const lockouts = await findAffected(ctx, viewer, { event: 'login_locked', period, find: findLocks })
  const throttle = { event: 'login_fail', period: throttlePeriod, find: findThrottles } as const
  const throttled = await findAffected(ctx, viewer, throttle)
  return {
    lockouts: lockouts.map(({ time, until, ...one }) => ({ ...one, locked_at: time, locked_until: until })),
    throttled: throttled.map(({ time, until, ...one }) => ({ ...one, last_failed_at: time, throttled_until: until })),
  }
}

interface Restriction {
  event: AuditEvent
  /** How far back to search, in milliseconds. */
  period: number
  /** Returns the time at which the restriction ends, for each restricted user. */
  find: typeof findLocks
}

async function findAffected(ctx: Context, viewer: { user_type: string }, { event, period, find }: Restriction) {
  const filter = readEventFilter(viewer, { event, time_from: iso(ctx.clock.now() - period) })
  const found = await findNewestTargets(ctx.db, filter, maxEvents)
  const ends = await find(
    ctx,
    found.map(({ id }) => id),
  )
  const labels = ends.size > 0 ? await findLabels(ctx.db, [...ends.keys()]) : new Map<string, string>()
  return found
    .flatMap(({ id, time, ip }) => {
      const until = ends.get(id)
      return until ? [{ user_id: id, label: labels.get(id) ?? null, time: iso(time), until: iso(until), ip }] : []
    })
    .toSorted((one, other) => other.time.localeCompare(one.time))
}

/** Requires recent authentication. Does nothing if the account is neither locked nor throttled. */
export function unlockUser(ctx: Context, view: SessionView, request: SignedInRequest): Promise<void> {
  assertRecentProof(ctx, view)
  return withLockedTarget(ctx, request, async ({ tx, actor, target, allow }) => {
    if (target.deleted_at) throw new AppError('NOT_FOUND')
    await allow('unlock')
    const [locked, throttled] = [await findLocks(tx, [target.id]), await findThrottles(tx, [target.id])]
    const [lockEnd, throttleEnd] = [locked.get(target.id), throttled.get(target.id)]
    if (!lockEnd && !throttleEnd) return
    await liftLock(tx, target.id)
    const details = {
      ...(lockEnd && { locked_until: { from: iso(lockEnd), to: null } }),
      ...(throttleEnd && { throttled_until: { from: iso(throttleEnd), to: null } }),
    }
    await recordAudit(tx, { event: 'user_unlocked', actor, target: target.id, device: request.device, details })
  })
}
