import { findEventsOf } from '../audit/queries.ts'
import type { Context, PersonalData, UserRow } from '../context.ts'
import { iso } from '../lib/time.ts'
import { listEntry } from '../sessions/list-entry.ts'
import { findSessionsOf } from '../sessions/queries.ts'
import { deleteRevocationsOf } from '../sessions/revocation-queries.ts'
import { loginUserWithModules } from '../users/shapes.ts'

/** Exports are bounded, and so is what a user can bring about in the time that rows are kept. */
const limits = { sessions: 1_000, events: 10_000 }

/** What the core keeps about users. Foreign keys erase it with its user, or take the user out of it. */
export const corePersonalData: readonly PersonalData[] = [
  {
    tables: ['users'],
    collect: async (ctx, user) => ({ user: exportedUser(ctx, user) }),
  },
  {
    tables: ['sessions'],
    collect: async (ctx, user) => {
      const rows = await findSessionsOf(ctx.db, user.id, new Date(0), limits.sessions)
      return {
        sessions: rows.map((row) => {
          // The beginning of a hash is for telling sessions apart in a list; an export holds no hash at all.
          const { sessionPrefix: _prefix, ...shown } = listEntry(ctx, row, user.user_type)
          return shown
        }),
      }
    },
  },
  {
    // Events stay for their time, with ids that lead to nobody once the user is erased.
    tables: ['audit_events'],
    collect: async (_ctx, user) => ({
      audit: (await findEventsOf(_ctx.db, user.id, limits.events)).map((event) => exportedEvent(event, user)),
    }),
  },
  // Hashes of links and codes, wishes for another address that end within a day, and names of files.
  { tables: ['one_time_secrets', 'handover_codes', 'email_changes', 'pictures'] },
  { tables: ['session_revocations'], erase: deleteRevocationsOf },
]

const exportedUser = (ctx: Context, user: UserRow) => ({
  ...loginUserWithModules(ctx, user),
  phone: user.phone ?? '',
  created_at: iso(user.created_at),
  updated_at: iso(user.updated_at),
})

type EventRow = Awaited<ReturnType<typeof findEventsOf>>[number]

/** Where administrators work from is their personal data, not the user's; and details may name other people. */
function exportedEvent({ time, event, outcome, actor_id, ip, user_agent }: EventRow, user: UserRow) {
  const isOther = actor_id !== null && actor_id !== user.id
  return {
    time: iso(time),
    event,
    outcome,
    by: isOther ? ('administrator' as const) : actor_id && ('user' as const),
    ip: isOther ? null : ip,
    user_agent: isOther ? null : user_agent,
  }
}
