import { sql } from 'kysely'
import type { Db } from '../../db/tables.ts'

export interface KeyUse {
  id: string
  at: Date
  /** Null if the caller did not send it. */
  address: string | null
  /** The network of the address. */
  network: string | null
  count: number
}

export interface NewNetwork {
  id: string
  user_id: string | null
  service_account_id: string | null
  name: string
  hint: string
  network_mailed_at: Date | null
  network: string
  address: string
}

/**
 * Stores all uses with one statement. Returns the keys that have a network from which they were not used before. The
 * first network of a key is not new.
 */
export async function writeUses(db: Db, uses: readonly KeyUse[], maxNetworks: number): Promise<NewNetwork[]> {
  const { rows } = await sql<NewNetwork>`WITH given AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(uses)}::json)
        AS given (id uuid, at timestamptz, address text, network text, count int)),
    before AS (SELECT k.id, k.networks FROM api_keys k JOIN given ON given.id = k.id ORDER BY k.id FOR UPDATE OF k),
    counted AS (INSERT INTO api_key_uses (key_id, day, count)
      SELECT before.id, (given.at AT TIME ZONE 'UTC')::date, given.count FROM given JOIN before ON before.id = given.id
      ON CONFLICT (key_id, day) DO UPDATE SET count = api_key_uses.count + excluded.count),
    used AS (UPDATE api_keys k SET last_used_at = greatest(k.last_used_at, given.at),
        last_used_ip = coalesce(given.address, k.last_used_ip),
        networks = CASE WHEN given.network IS NULL OR given.network = ANY (k.networks) THEN k.networks
          ELSE (k.networks || given.network)[greatest(1, cardinality(k.networks) + 2 - ${maxNetworks}::int):] END
      FROM given WHERE given.id = k.id AND k.id IN (SELECT id FROM before)
      RETURNING k.id, k.user_id, k.service_account_id, k.name, k.hint, k.network_mailed_at)
    SELECT used.*, given.network, given.address FROM used JOIN given ON given.id = used.id
      JOIN before ON before.id = used.id
    WHERE given.network IS NOT NULL AND before.networks <> '{}' AND given.network <> ALL (before.networks)`.execute(db)
  return rows
}

/** Returns false if another node has sent the email since `before`. */
export async function noteNetworkMail(db: Db, id: string, now: Date, before: Date): Promise<boolean> {
  const row = await db
    .updateTable('api_keys')
    .set({ network_mailed_at: now })
    .where('id', '=', id)
    .where((on) => on.or([on('network_mailed_at', 'is', null), on('network_mailed_at', '<=', before)]))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
