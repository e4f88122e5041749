import { recordAll } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { transact } from '../db/transact.ts'
import { lockUsers } from '../users/queries.ts'
import { endOfApplications, findUsersOfEndedApplications } from './end-queries.ts'

export const endOfApplicationsJob = 'end_application_sessions'

const usersAtOnce = 200
const reason = 'application_disabled'

/**
 * Ends the rows of sessions whose application was disabled or deleted. These sessions are rejected since then, because
 * the epoch of their application is later, so there is no need to raise the users' epochs. Returns the number of rows.
 */
export async function endSessionsOfApplications(ctx: Context): Promise<number> {
  let ended = 0
  for (;;) {
    const userIds = await findUsersOfEndedApplications(ctx.db, usersAtOnce)
    if (userIds.length === 0) return ended
    ended += await transact(ctx, async (tx) => {
      await lockUsers(tx.db, userIds)
      const rows = await endOfApplications(tx.db, userIds, { now: tx.clock.date(), reason })
      const entries = [...Map.groupBy(rows, ({ user_id }) => user_id)].map(([target, sessions]) => ({
        event: 'session_ended' as const,
        target,
        details: { reason, sessions: sessions.map(({ id }) => id) },
      }))
      await recordAll(tx, entries)
      return rows.length
    })
  }
}
