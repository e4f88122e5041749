import type { Context } from '../context.ts'
import { transact } from '../db/transact.ts'
import { hasNewEvents, insertDeliveries, lockCursor } from './delivery-queries.ts'

const batch = 1_000

/** Nodes may run this concurrently: the node that holds the lock does the work. */
export async function createDeliveries(ctx: Context): Promise<void> {
  for (;;) {
    if (!(await hasNewEvents(ctx.db))) return
    const count = await transact(ctx, async ({ db, clock }) => {
      const after = await lockCursor(db)
      return after === undefined ? 0 : insertDeliveries(db, after, batch, clock.date())
    })
    if (count < batch) return
  }
}
