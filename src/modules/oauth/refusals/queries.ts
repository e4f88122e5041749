import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'
import type { RefusalReason } from './reasons.ts'

export interface RefusalRow {
  time: Date
  request_id: string | null
  details: { reason?: RefusalReason; route?: string; scopes?: string[]; resource?: string }
}

/** The newest first. The index has the same condition. */
export const findRefusals = (
  db: Db,
  { clientId, since, limit }: { clientId: string; since: Date; limit: number },
): Promise<RefusalRow[]> =>
  db
    .selectFrom('audit_events')
    .select(['time', 'request_id', 'details'])
    .where('event', 'in', ['oauth_client_auth_failed', 'oauth_request_refused'])
    .where(sql`details ->> 'client'`, '=', clientId)
    .where('time', '>', since)
    .orderBy('time', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .$castTo<RefusalRow>()
    .execute()
