import { recordAudit } from '../audit/record.ts'
import type { Context, UserRow } from '../context.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { day, iso } from '../lib/time.ts'
import { voidTokensOf } from '../one-time-tokens/queries.ts'
import { endSessionsOf } from '../sessions/end-sessions.ts'
import { deleteBlock, writeBlock } from '../users/block-queries.ts'
import { type AdminRequest, withLockedTarget } from './locked-target.ts'

export interface BlockInput {
  reason: string
  /** An RFC 3339 time. If absent, the block is indefinite. */
  until?: string | undefined
}

const maxBlock = 3650 * day
const maxReason = 500

/**
 * Ends all of the user's sessions, invalidates links and codes, and forgets remembered browsers. `createSession`
 * rejects blocked users.
 */
export function blockUser(ctx: Context, request: AdminRequest, input: BlockInput): Promise<UserRow> {
  const { reason, until } = readBlock(ctx, input)
  return withLockedTarget(ctx, request, async ({ tx, actor, target, allow }) => {
    if (target.deleted_at) throw new AppError('NOT_FOUND')
    await allow('block')
    const now = tx.clock.date()
    // Checked again because the end of the block may have passed while the request waited for locks.
    assertEnd(until, now)
    await writeBlock(tx.db, { user_id: target.id, since: now, until, reason })
    await voidTokensOf(tx.db, target.id, now)
    await tx.secondFactor.forgetBrowsers(tx.db, [target.id], now)
    await endSessionsOf(tx, target.id, { reason: 'blocked', actor, device: request.device })
    const details = { reason, ...(until && { until: iso(until) }) }
    await recordAudit(tx, { event: 'user_blocked', actor, target: target.id, device: request.device, details })
    return target
  })
}

/** Also invalidates links and codes that were requested during the block. */
export const unblockUser = (ctx: Context, request: AdminRequest): Promise<UserRow> =>
  withLockedTarget(ctx, request, async ({ tx, actor, target, allow }) => {
    if (target.deleted_at) throw new AppError('NOT_FOUND')
    await allow('unblock')
    const now = tx.clock.date()
    const ended = await deleteBlock(tx.db, target.id, now)
    if (!ended) return target
    await voidTokensOf(tx.db, target.id, now)
    const block = { reason: ended.reason, since: iso(ended.since), until: ended.until && iso(ended.until) }
    const details = { block: { from: block, to: null } }
    await recordAudit(tx, { event: 'user_unblocked', actor, target: target.id, device: request.device, details })
    return target
  })

export function readBlock({ clock }: Context, { reason, until }: BlockInput): { reason: string; until: Date | null } {
  const block = { reason: readReason(reason), until: until === undefined ? null : timeOf(until) }
  assertEnd(block.until, clock.date())
  return block
}

export function readReason(input: string): string {
  const reason = input.normalize('NFC').trim()
  if (reason === '' || reason.length > maxReason) throw invalidField('reason', `must have 1 to ${maxReason} characters`)
  if (/[\p{Cc}\u2028-\u202e\u2066-\u2069]/u.test(reason) || !reason.isWellFormed())
    throw invalidField('reason', 'must be one line without control characters')
  return reason
}

/** Requires a time zone (RFC 3339, section 5.6) because `Date` interprets times without one as local time. */
function timeOf(input: string): Date {
  const time = new Date(input)
  if (
    !/^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(input) ||
    Number.isNaN(time.getTime())
  )
    throw invalidField('until', 'must be a time such as 2030-01-01T00:00:00Z')
  return time
}

function assertEnd(until: Date | null, now: Date): void {
  if (until === null) return
  if (until <= now) throw invalidField('until', 'must be in the future')
  if (until.getTime() - now.getTime() > maxBlock)
    throw invalidField('until', 'must be at most ten years away; leave it out for no end')
}
