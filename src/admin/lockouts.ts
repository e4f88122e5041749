import { readEventFilter } from '../audit/event-filter.ts'
import { findLabels, findNewestTargets } from '../audit/queries.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context, SessionView } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { iso } from '../lib/time.ts'
import { assertRecentProof } from '../sessions/session.ts'
import { findLocks, liftLock } from '../users/account-throttle.ts'
import { type SignedInRequest, withLockedTarget } from './locked-target.ts'

/** Bounds the work per request during an attack on many accounts. */
const maxEvents = 1_000

/** Counters contain no user ids, so audit events identify the accounts. Only superadmins see locked superadmins. */
export async function listLockouts(ctx: Context, viewer: { user_type: string }) {
  const { db, clock, config } = ctx
  const from = iso(clock.now() - config.LOCKOUT_DURATION)
  const found = await findNewestTargets(db, readEventFilter(viewer, { event: 'login_locked', from }), maxEvents)
  const ids = found.map(({ id }) => id)
  const locks = await findLocks(ctx, ids)
  const labels = ids.length > 0 ? await findLabels(db, ids) : new Map<string, string>()
  return found
    .flatMap(({ id, time, ip }) => {
      const until = locks.get(id)
      const label = labels.get(id) ?? null
      return until ? [{ user_id: id, label, locked_at: iso(time), locked_until: iso(until), ip }] : []
    })
    .toSorted((one, other) => other.locked_at.localeCompare(one.locked_at))
}

/** Requires recent authentication. Does nothing if the account is not locked. */
export function unlockUser(ctx: Context, view: SessionView, request: SignedInRequest): Promise<void> {
  assertRecentProof(ctx, view)
  return withLockedTarget(ctx, request, async ({ tx, actor, target, allow }) => {
    if (target.deleted_at) throw new AppError('NOT_FOUND')
    await allow('unlock')
    const until = (await findLocks(tx, [target.id])).get(target.id)
    if (!until) return
    await liftLock(tx, target.id)
    const details = { locked_until: { from: iso(until), to: null } }
    await recordAudit(tx, { event: 'user_unlocked', actor, target: target.id, device: request.device, details })
  })
}
