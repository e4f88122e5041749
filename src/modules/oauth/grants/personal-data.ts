import type { PersonalData } from '../../../context.ts'
import { iso } from '../../../lib/time.ts'
import { listOfModule } from '../../../profile/schemas.ts'
import { eraseLogoutsOf } from '../logout/delivery-queries.ts'
import { listGrantsOfUser } from './list-queries.ts'
import { endGrantsWithSessions } from './with-sessions.ts'

/**
 * A trigger ends the grants of a deleted user, and clients are told that the sessions have ended. The rows are erased with the
 * user.
 */
export const grantPersonalData: PersonalData = {
  tables: ['oauth_grants', 'oauth_consents', 'oauth_logouts'],
  exported: { application_access: { schema: listOfModule } },
  collect: async ({ db }, { id }) => ({
    application_access: (await listGrantsOfUser(db, id)).map((row) => ({
      ...{ client_id: row.client_id, name: row.name, scopes: row.scopes, offline: row.is_offline },
      ...{ created_at: iso(row.created_at), last_used_at: row.last_used_at && iso(row.last_used_at) },
      ...{ ended_at: row.ended_at && iso(row.ended_at), ip_address: row.ip_address, user_agent: row.user_agent },
    })),
  }),
  erase: eraseLogoutsOf,
  unproven: (tx, { id }) => endGrantsWithSessions(tx, [id], { reason: 'unproven' }),
}
