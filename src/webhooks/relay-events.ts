import type { Context } from '../context.ts'
import { transact } from '../db/transact.ts'
import { assignPositions, hasUnpositioned, lockLastPosition } from '../events/queries.ts'
import { insertDeliveries } from './queries.ts'

const batch = 1_000

/**
 * Gives committed events their positions, and creates their deliveries in the same transaction. One transaction at a
 * time does so, so readers of the positions see no gap that is filled later. Returns the number of events.
 */
export async function relayEvents(ctx: Context): Promise<number> {
  for (let total = 0; ; ) {
    if (!(await hasUnpositioned(ctx.db))) return total
    const count = await transact(ctx, async ({ db, clock }) => {
      const last = await lockLastPosition(db)
      const assigned = await assignPositions(db, last, batch)
      if (assigned > 0) await insertDeliveries(db, last, last + assigned, clock.date())
      return assigned
    })
    total += count
    if (count < batch) return total
  }
}
