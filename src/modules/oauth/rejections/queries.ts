import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'
import type { ClientRejectionReason } from './reasons.ts'

export interface ClientRejectionRow {
  time: Date
  request_id: string | null
  details: { reason?: ClientRejectionReason; route?: string; scopes?: string[]; resource?: string }
}

/** The newest first. The index has the same condition. */
export const findClientRejections = (
  db: Db,
  { clientId, since, limit }: { clientId: string; since: Date; limit: number },
): Promise<ClientRejectionRow[]> =>
  db
    .selectFrom('audit_events')
    .select(['time', 'request_id', 'details'])
    .where('event', 'in', ['oauth_client_auth_failed', 'oauth_request_refused'])
    .where(sql`details ->> 'client'`, '=', clientId)
    .where('time', '>', since)
    .orderBy('time', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .$castTo<ClientRejectionRow>()
    .execute()
