import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'
import type { EndedGrant } from './grant-queries.ts'

export interface DueGrant {
  id: string
  is_offline: boolean
  expires_at: Date
  /** Null: nobody has redeemed the code. */
  last_used_at: Date | null
  ended_at: Date | null
  session_ended_at: Date | null
  user_type: string
  /** Null: the session is over. In milliseconds since 1970. */
  session: { created_at: number; started_at: number; last_used_at: number; ends_at: number | null } | null
}

/** Grants that can have expired. Other nodes skip those that are being examined. */
export async function lockDueGrants(db: Db, now: Date, limit: number): Promise<DueGrant[]> {
  const { rows } =
    await sql<DueGrant>`SELECT g.id, g.is_offline, g.expires_at, g.last_used_at, g.ended_at, g.session_ended_at,
      u.user_type,
      (SELECT json_build_object('created_at', extract(epoch FROM s.created_at) * 1000,
          'started_at', extract(epoch FROM s.started_at) * 1000,
          'last_used_at', extract(epoch FROM s.last_used_at) * 1000, 'ends_at', extract(epoch FROM s.ends_at) * 1000)
        FROM sessions s WHERE s.id = g.session_id AND s.status = 'active') AS session
    FROM oauth_grants g JOIN users u ON u.id = g.user_id
    WHERE g.check_at <= ${now}
      AND (g.ended_at IS NULL OR g.session_ended_at IS NULL AND g.last_used_at IS NOT NULL) ORDER BY g.check_at LIMIT ${limit}
    FOR UPDATE OF g SKIP LOCKED`.execute(db)
  return rows
}

/** A trigger sees to it that the clients of these grants learn of it. */
export const noteSessionEnds = (db: Db, ids: readonly string[], now: Date) =>
  sql`UPDATE oauth_grants SET session_ended_at = ${now}
    WHERE id = ANY(${[...ids]}::uuid[]) AND session_ended_at IS NULL`.execute(db)

/** When these grants are examined again. */
export const postponeChecks = (db: Db, checks: readonly { id: string; at: Date }[]) =>
  sql`UPDATE oauth_grants g SET check_at = given.at
    FROM json_to_recordset(${JSON.stringify(checks)}::json) AS given (id uuid, at timestamptz)
    WHERE g.id = given.id`.execute(db)

export async function endDueGrants(
  db: Db,
  ends: readonly { id: string; reason: string }[],
  now: Date,
): Promise<(EndedGrant & { end_reason: string })[]> {
  const { rows } = await sql<EndedGrant & { end_reason: string }>`UPDATE oauth_grants g
    SET ended_at = ${now}, end_reason = given.reason
    FROM json_to_recordset(${JSON.stringify(ends)}::json) AS given (id uuid, reason text)
    WHERE g.id = given.id AND g.ended_at IS NULL
    RETURNING g.id, g.epoch, g.user_id, g.client_id, g.scopes, g.end_reason`.execute(db)
  return rows
}

export async function eraseOldGrants(db: Db, endedBefore: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM oauth_grants WHERE id IN (SELECT id FROM oauth_grants
    WHERE ended_at < ${endedBefore} ORDER BY ended_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

/** Also voids the requests that are open. */
export async function endEveryGrant(db: Db, { now, reason }: { now: Date; reason: string }): Promise<void> {
  await sql`UPDATE oauth_grants SET ended_at = ${now}, end_reason = ${reason} WHERE ended_at IS NULL`.execute(db)
  await sql`DELETE FROM oauth_requests`.execute(db)
}
