import { recordAudit } from '../audit/record.ts'
import type { Context, UserRow } from '../context.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { day, iso } from '../lib/time.ts'
import { endSessionsOf } from '../sessions/end-sessions.ts'
import { deleteBlock, writeBlock } from '../users/block-queries.ts'
import { type AdminRequest, withLockedTarget } from './locked-target.ts'

export interface BlockInput {
  reason: string
  /** RFC 3339. Without it, the block lasts until somebody removes it. */
  until?: string | undefined
}

const longestBlock = 3650 * day
const maxReason = 500

/** Ends all sessions and forgets remembered browsers. `createSession` refuses blocked users. */
export function blockUser(ctx: Context, request: AdminRequest, input: BlockInput): Promise<UserRow> {
  const reason = reasonOf(input.reason)
  const until = input.until === undefined ? null : endOf(ctx, input.until)
  return withLockedTarget(ctx, request, async ({ tx, actor, target, allow }) => {
    if (target.deleted_at) throw new AppError('NOT_FOUND')
    await allow('block')
    const now = tx.clock.date()
    await writeBlock(tx.db, { user_id: target.id, since: now, until, reason })
    await tx.secondFactor.forgetBrowsers(tx.db, target.id, now)
    await endSessionsOf(tx, target.id, { reason: 'blocked', actor, device: request.device })
    const details = { reason, ...(until && { until: iso(until) }) }
    await recordAudit(tx, { event: 'user_blocked', actor, target: target.id, device: request.device, details })
    return target
  })
}

export const unblockUser = (ctx: Context, request: AdminRequest): Promise<UserRow> =>
  withLockedTarget(ctx, request, async ({ tx, actor, target, allow }) => {
    if (target.deleted_at) throw new AppError('NOT_FOUND')
    await allow('unblock')
    const wasBlocked = await deleteBlock(tx.db, target.id, tx.clock.date())
    if (wasBlocked) await recordAudit(tx, { event: 'user_unblocked', actor, target: target.id, device: request.device })
    return target
  })

function reasonOf(input: string): string {
  const reason = input.normalize('NFC').trim()
  if (reason === '' || reason.length > maxReason) throw invalidField('reason', `must have 1 to ${maxReason} characters`)
  if (/[\p{Cc}\u2028-\u202e\u2066-\u2069]/u.test(reason) || !reason.isWellFormed())
    throw invalidField('reason', 'must be one line without control characters')
  return reason
}

function endOf({ clock }: Context, input: string): Date {
  const until = new Date(input)
  const length = until.getTime() - clock.now()
  if (!(length > 0)) throw invalidField('until', 'must be in the future')
  if (length > longestBlock) throw invalidField('until', 'must be at most ten years away; leave it out for no end')
  return until
}
