import type { PgBoss } from 'pg-boss'
import type { Db } from '../db/tables.ts'
import { findPendingMessages, markQueued } from '../outbox/queries.ts'

const batch = 200

/** A job has the same id as its message, so concurrent or repeated calls create no duplicates. */
export async function relayPending(db: Db, boss: PgBoss): Promise<number> {
  let moved = 0
  for (;;) {
    const pending = await findPendingMessages(db, batch)
    if (pending.length === 0) return moved
    await boss.insert(
      'deliver',
      pending.map(({ id }) => ({ id, data: { id } })),
    )
    await markQueued(
      db,
      pending.map(({ id }) => id),
    )
    moved += pending.length
  }
}
