import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { transact } from '../db/transact.ts'
import { expirePendingChanges } from './change-queries.ts'

export const expireEmailChanges = (ctx: Context, limit: number): Promise<number> =>
  transact(ctx, async (tx) => {
    const expired = await expirePendingChanges(tx.db, ctx.clock.date(), limit)
    for (const { id, user_id } of expired)
      await recordAudit(tx, { event: 'email_change_expired', target: user_id, details: { change: id } })
    return expired.length
  })
