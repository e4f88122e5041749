import type { Context } from '../context.ts'
import { transact } from '../db/transact.ts'
import { deleteUsers, lockDeletedUsers } from '../users/queries.ts'

/** Returns their number. */
export const eraseUsers = (ctx: Context, deletedBefore: Date, limit: number): Promise<number> =>
  transact(ctx, async ({ db }) => {
    const ids = await lockDeletedUsers(db, deletedBefore, limit)
    if (ids.length === 0) return 0
    for (const { erase } of ctx.personalData()) await erase?.(db, ids)
    await deleteUsers(db, ids)
    return ids.length
  })
