import type { Context } from '../context.ts'
import { transact } from '../db/transact.ts'
import { assignPositions, hasUnpositioned, lockLastPosition } from './queries.ts'

const batch = 1_000

/** Numbers committed events. Nodes may run this concurrently: the node that holds the lock does the work. */
export async function positionEvents(ctx: Context): Promise<void> {
  for (;;) {
    if (!(await hasUnpositioned(ctx.db))) return
    const count = await transact(ctx, async ({ db }) => {
      const last = await lockLastPosition(db)
      return last === undefined ? 0 : assignPositions(db, last, batch)
    })
    if (count < batch) return
  }
}
