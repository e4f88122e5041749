import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'

/**
 * Stores all uses of secrets and of their clients, and of clients without one, with one statement. Times are in milliseconds
 * since 1970.
 */
export async function writeSecretUses(
  db: Db,
  uses: readonly (readonly [id: string, use: { at: number }])[],
): Promise<void> {
  const given = JSON.stringify(uses.map(([id, { at }]) => ({ id, at: new Date(at) })))
  await sql`WITH given AS (SELECT * FROM json_to_recordset(${given}::json) AS given (id uuid, at timestamptz)),
    held AS (SELECT id FROM oauth_clients WHERE id IN (SELECT id FROM given UNION ALL
        SELECT s.client_id FROM oauth_client_secrets s JOIN given ON given.id = s.id) ORDER BY id FOR UPDATE),
    used AS (UPDATE oauth_client_secrets s SET last_used_at = greatest(s.last_used_at, given.at)
      FROM given WHERE given.id = s.id AND s.client_id IN (SELECT id FROM held) RETURNING s.client_id, s.last_used_at),
    latest AS (SELECT client_id, max(last_used_at) AS at FROM (SELECT client_id, last_used_at FROM used
      UNION ALL SELECT held.id, given.at FROM held JOIN given ON given.id = held.id) every_use GROUP BY client_id)
    UPDATE oauth_clients c SET last_used_at = greatest(c.last_used_at, latest.at)
      FROM latest WHERE latest.client_id = c.id`.execute(db)
}
