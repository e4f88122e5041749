import type { PersonalData } from '../../../context.ts'
import { iso } from '../../../lib/time.ts'
import { listOfModule } from '../../../profile/schemas.ts'
import { listGrantsOfUser } from './list-queries.ts'
import { endGrantsWithSessions } from './with-sessions.ts'

/** The rows of a user are erased with the user. A trigger ends the grants of a deleted user. */
export const grantPersonalData: PersonalData = {
  tables: ['oauth_grants', 'oauth_consents'],
  exported: { application_access: { schema: listOfModule } },
  collect: async ({ db }, { id }) => ({
    application_access: (await listGrantsOfUser(db, id)).map((row) => ({
      ...{ client_id: row.client_id, name: row.name, scopes: row.scopes, offline: row.is_offline },
      ...{ created_at: iso(row.created_at), last_used_at: row.last_used_at && iso(row.last_used_at) },
      ...{ ended_at: row.ended_at && iso(row.ended_at), ip_address: row.ip_address, user_agent: row.user_agent },
    })),
  }),
  unproven: (tx, { id }) => endGrantsWithSessions(tx, [id], { reason: 'unproven' }),
}
