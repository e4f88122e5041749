import { recordAll } from '../audit/record.ts'
import type { Context, Transaction } from '../context.ts'
import { transact } from '../db/transact.ts'
import { declaredReturnAddresses } from '../http/responses/redirects.ts'
import { lockUsers } from '../users/queries.ts'
import {
  type EndedSession,
  endFormerlyDeclared,
  endOfApplications,
  findUsersOfEndedApplications,
  findUsersOfFormerlyDeclared,
} from './end-queries.ts'
import { invalidateSessionsOf } from './end-sessions.ts'

export const endOfApplicationsJob = 'end_application_sessions'

const usersAtOnce = 200

/** Ends the rows of sessions that their application has ceased to accept. Returns the number of rows. */
export async function endSessionsOfApplications(ctx: Context): Promise<number> {
  const declared = declaredReturnAddresses(ctx.config)
  // These sessions are rejected since then, because the epoch of their application is later.
  const rejected = await endInBatches(ctx, {
    find: () => findUsersOfEndedApplications(ctx.db, usersAtOnce),
    end: (tx, userIds, now) => endOfApplications(tx.db, userIds, now),
  })
  // These have no application whose epoch could be later, so the epochs of their users are raised.
  const accepted = await endInBatches(ctx, {
    find: () => findUsersOfFormerlyDeclared(ctx.db, declared, usersAtOnce),
    end: async (tx, userIds, now) => {
      await invalidateSessionsOf(tx, userIds)
      return endFormerlyDeclared(tx.db, { userIds, declared }, now)
    },
  })
  return rejected + accepted
}

interface Batches {
  find(): Promise<string[]>
  end(tx: Transaction, userIds: readonly string[], now: Date): Promise<readonly EndedSession[]>
}

async function endInBatches(ctx: Context, { find, end }: Batches): Promise<number> {
  let ended = 0
  for (;;) {
    const userIds = await find()
    if (userIds.length === 0) return ended
    ended += await transact(ctx, async (tx) => {
      await lockUsers(tx.db, userIds)
      const rows = await end(tx, userIds, tx.clock.date())
      const groups = Map.groupBy(rows, ({ user_id, end_reason }) => `${user_id} ${end_reason}`)
      const entries = [...groups.values()].map((sessions) => ({
        event: 'session_ended' as const,
        target: sessions[0]?.user_id,
        details: { reason: sessions[0]?.end_reason, sessions: sessions.map(({ id }) => id) },
      }))
      await recordAll(tx, entries)
      return rows.length
    })
  }
}
