import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { transact } from '../db/transact.ts'
import { findBlock } from '../users/block-queries.ts'
import { lockUser } from '../users/queries.ts'
import { endChange, expirePendingChanges, findDueChange, listDueChanges } from './change-queries.ts'
import { complete } from './confirm-change.ts'

export const expireEmailChanges = (ctx: Context, limit: number): Promise<number> =>
  transact(ctx, async (tx) => {
    const expired = await expirePendingChanges(tx.db, ctx.clock.date(), limit)
    for (const { id, user_id } of expired)
      await recordAudit(tx, { event: 'email_change_expired', target: user_id, details: { change: id } })
    return expired.length
  })

/** Carries out the changes that were proven with a passkey and that nobody has stopped in time. */
export async function completeDueChanges(ctx: Context, limit: number): Promise<number> {
  const due = await listDueChanges(ctx.db, ctx.clock.date(), limit)
  for (const { id, user_id } of due) await completeDue(ctx, id, user_id)
  return due.length
}

const completeDue = (ctx: Context, id: string, userId: string): Promise<void> =>
  transact(ctx, async (tx) => {
    const user = await lockUser(tx, userId)
    const now = tx.clock.date()
    const change = await findDueChange(tx.db, id, now)
    // It may have been cancelled since it was listed.
    if (!change) return
    if (user && change.old_email === user.email && !(await findBlock(tx.db, userId, now))) {
      await complete(tx, user, change)
      return
    }
    await endChange(tx.db, id, 'expired', now)
    await recordAudit(tx, { event: 'email_change_expired', target: userId, details: { change: id } })
  })
