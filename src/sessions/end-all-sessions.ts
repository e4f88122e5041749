import { commandLine, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { transact } from '../db/transact.ts'
import { voidTokensBefore } from '../one-time-tokens/queries.ts'
import { findNextUserIds, lockUsers } from '../users/queries.ts'
import { endSessionsOfUsers } from './end-sessions.ts'

export interface EndedAll {
  sessions: number
  secrets: number
}

const usersAtOnce = 200
const secretsAtOnce = 1_000
const firstId = '00000000-0000-0000-0000-000000000000'

/** Works in batches with separate transactions. If a run is interrupted, the next one ends the remaining sessions. */
export async function endAllSessions(ctx: Context, onProgress: (soFar: EndedAll) => void): Promise<EndedAll> {
  const ended: EndedAll = { sessions: 0, secrets: 0 }
  // Links and codes are invalidated first because they could create new sessions.
  for (let after = firstId; ; ) {
    const now = ctx.clock.date()
    const ids = await transact(ctx, ({ db }) => voidTokensBefore(db, after, now, secretsAtOnce))
    ended.secrets += ids.length
    onProgress(ended)
    if (ids.length === 0) break
    after = ids.at(-1)!
  }
  ended.secrets += await ctx.voidModuleLinks()
  // Users without a session may still have remembered browsers.
  for (let after = firstId; ; ) {
    const userIds = await findNextUserIds(ctx.db, after, usersAtOnce)
    if (userIds.length === 0) break
    ended.sessions += await transact(ctx, async (tx) => {
      await lockUsers(tx.db, userIds)
      const now = ctx.clock.date()
      await ctx.secondFactor.forgetBrowsers(tx.db, userIds, now)
      return endSessionsOfUsers(tx, userIds, { reason, actor: commandLine })
    })
    onProgress(ended)
    after = userIds.at(-1)!
  }
  const details = { reason, session_count: ended.sessions, secret_count: ended.secrets }
  await recordAudit(ctx, { event: 'session_ended', actor: commandLine, details })
  return ended
}

const reason = 'all_ended'
