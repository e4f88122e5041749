import type { Context } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { softDeleteUser } from '../../profile/delete-user.ts'
import { isLastSuperadmin } from '../../sign-in-methods/last-superadmin.ts'
import { lockUser, withoutPassword } from '../../users/queries.ts'
import { cancelDeletion } from './cancel-deletion.ts'
import { deletePendingRequest, findDue, findDueById } from './deletion-queries.ts'

const batch = 1_000

/** If one deletion fails, the others continue. Returns the number of finished requests. */
export async function runDueDeletions(ctx: Context): Promise<number> {
  let done = 0
  for (const request of await findDue(ctx.db, ctx.clock.date(), batch)) {
    try {
      await runDeletion(ctx, request)
      done++
    } catch (error) {
      ctx.log.error({ err: error, request: request.id }, 'a scheduled deletion failed')
    }
  }
  return done
}

/** Locks the user. A cancellation takes the same lock, so either the deletion or the cancellation takes effect. */
const runDeletion = (ctx: Context, { id, user_id }: { id: string; user_id: string }): Promise<void> =>
  transact(ctx, async (tx) => {
    const user = await lockUser(tx, user_id)
    const request = await findDueById(tx.db, id, ctx.clock.date())
    if (!user || !request) return
    // The user may have become the last superadmin since the request.
    if (user.user_type === 'superadmin' && (await isLastSuperadmin(tx, user.id))) {
      await cancelDeletion(tx, withoutPassword(user), { source: 'service', reason: 'LAST_SUPERADMIN' })
      return
    }
    await deletePendingRequest(tx.db, user.id)
    await softDeleteUser(tx, withoutPassword(user), { reason: request.reason ?? undefined })
  })
