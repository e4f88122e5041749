import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'

/** The access that a user has given, the latest first. Codes that nobody has redeemed are left out. */
export const listGrantsOfUser = (db: Db, userId: string) =>
  db
    .selectFrom('oauth_grants as g')
    .innerJoin('oauth_clients as c', 'c.id', 'g.client_id')
    .select([
      ...['g.id', 'g.created_at', 'g.last_used_at', 'g.ended_at', 'g.scopes', 'g.is_offline', 'g.ip_address'],
      ...['g.user_agent', 'c.client_id', 'c.name'],
    ] as const)
    .where('g.user_id', '=', userId)
    .where('g.last_used_at', 'is not', null)
    .orderBy('g.created_at', 'desc')
    .orderBy('g.id', 'desc')
    .limit(1_000)
    .execute()

export interface ListedAccess {
  client_id: string
  name: string
  scopes: string[]
  /** The hosts and schemes to which the user was sent. */
  targets: string[]
  /** Null if the client asks for no consent. */
  consent_until: Date | null
  first_used_at: Date | null
  last_used_at: Date | null
  grants: { id: string; created_at: string; last_used_at: string; is_offline: boolean; user_agent: string }[]
}

/** The applications that a user has allowed to use the account, or that use it now, in the order of their names. */
export async function listAccessOfUser(db: Db, userId: string, now: Date): Promise<ListedAccess[]> {
  const { rows } = await sql<ListedAccess>`WITH live AS (
      SELECT * FROM oauth_grants WHERE user_id = ${userId} AND ended_at IS NULL AND expires_at > ${now}
        AND last_used_at IS NOT NULL),
    consents AS (SELECT * FROM oauth_consents WHERE user_id = ${userId} AND expires_at > ${now}),
    used AS (SELECT client_id FROM live UNION SELECT client_id FROM consents)
    SELECT c.client_id, c.name, o.expires_at AS consent_until, coalesce(o.targets, '{}') AS targets,
      ARRAY(SELECT DISTINCT unnest(coalesce(o.scopes, '{}') || g.scopes) ORDER BY 1) AS scopes,
      g.first_used_at, g.last_used_at, g.grants
    FROM used JOIN oauth_clients c ON c.id = used.client_id
    LEFT JOIN consents o ON o.client_id = c.id
    CROSS JOIN LATERAL (SELECT
        (SELECT coalesce(array_agg(DISTINCT one), '{}') FROM live l, unnest(l.scopes) AS one WHERE l.client_id = c.id)
          AS scopes,
        min(l.created_at) AS first_used_at, max(l.last_used_at) AS last_used_at,
        coalesce(json_agg(json_build_object('id', l.id, 'created_at', l.created_at, 'last_used_at', l.last_used_at,
          'is_offline', l.is_offline, 'user_agent', l.user_agent) ORDER BY l.created_at DESC) FILTER (WHERE l.id IS NOT NULL),
          '[]') AS grants
      FROM live l WHERE l.client_id = c.id) g
    WHERE c.deleted_at IS NULL
    ORDER BY lower(c.name), c.id LIMIT 1000`.execute(db)
  return rows
}

/** The row of the client, also of one that is disabled. */
export const findClientOfAccess = (db: Db, clientId: string) =>
  db
    .selectFrom('oauth_clients')
    .select(['id', 'client_id', 'name'])
    .where('client_id', '=', clientId)
    .executeTakeFirst()

export const deleteConsent = async (db: Db, userId: string, clientRowId: string): Promise<boolean> => {
  const result = await db
    .deleteFrom('oauth_consents')
    .where('user_id', '=', userId)
    .where('client_id', '=', clientRowId)
    .executeTakeFirst()
  return Number(result.numDeletedRows) > 0
}
