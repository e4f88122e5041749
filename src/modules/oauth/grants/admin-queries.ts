import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'
import type { PageRequest } from '../../../lib/paging.ts'

export interface AdministeredGrant {
  id: string
  epoch: number
  user_id: string
  /** As clients send it. */
  client_id: string
  name: string
  scopes: string[]
}

interface GrantsToEnd {
  /** The ids of the rows. At least one of them. */
  id?: string | undefined
  userId?: string | undefined
  clientRowId?: string | undefined
  /** The types of users whose access stays. */
  exceptTypes?: readonly string[]
  now: Date
  reason: string
  limit?: number
}

/** In the order of their ids, so that two of these cannot wait for each other. */
export async function endGrantsOf(db: Db, which: GrantsToEnd): Promise<AdministeredGrant[]> {
  const { exceptTypes = [], now, reason, limit = null } = which
  const { rows } = await sql<AdministeredGrant>`WITH chosen AS (
      SELECT g.id FROM oauth_grants g JOIN users u ON u.id = g.user_id
      WHERE g.ended_at IS NULL AND ${isOf(which)}
        AND u.user_type <> ALL(${[...exceptTypes]}::text[])
      ORDER BY g.id LIMIT ${limit}::int FOR UPDATE OF g)
    UPDATE oauth_grants g SET ended_at = ${now}, end_reason = ${reason} FROM oauth_clients c
    WHERE g.id IN (SELECT id FROM chosen) AND c.id = g.client_id
    RETURNING g.id, g.epoch, g.user_id, c.client_id, c.name, g.scopes`.execute(db)
  return rows.map((row) => ({ ...row, epoch: Number(row.epoch) }))
}

/** One condition for each, so that the indexes are used. */
function isOf({ id, userId, clientRowId }: GrantsToEnd) {
  const conditions = [
    ...(id === undefined ? [] : [sql`g.id = ${id}`]),
    ...(userId === undefined ? [] : [sql`g.user_id = ${userId}`]),
    ...(clientRowId === undefined ? [] : [sql`g.client_id = ${clientRowId}`]),
  ]
  // Without a condition, the grants of all users would end.
  return conditions.length === 0 ? sql`false` : sql.join(conditions, sql` AND `)
}

export interface ClientGrantRow {
  id: string
  user_id: string
  email: string
  user_type: string
  scopes: string[]
  is_offline: boolean
  user_agent: string
  created_at: Date
  last_used_at: Date
}

/** Codes that nobody has redeemed are left out. */
const live = (clientRowId: string, now: Date) =>
  sql`FROM oauth_grants g JOIN users u ON u.id = g.user_id
    WHERE g.client_id = ${clientRowId} AND g.ended_at IS NULL AND g.expires_at > ${now} AND g.last_used_at IS NOT NULL`

/** The latest first. */
export async function listGrantsOfClient(
  db: Db,
  clientRowId: string,
  now: Date,
  { limit, offset }: PageRequest,
): Promise<ClientGrantRow[]> {
  const { rows } = await sql<ClientGrantRow>`SELECT g.id, g.user_id, u.email, u.user_type, g.scopes, g.is_offline,
      g.user_agent, g.created_at, g.last_used_at ${live(clientRowId, now)}
    ORDER BY g.created_at DESC, g.id DESC LIMIT ${limit} OFFSET ${offset}`.execute(db)
  return rows
}

export async function countGrantsOfClient(db: Db, clientRowId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ count: string }>`SELECT count(*) ${live(clientRowId, now)}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}
