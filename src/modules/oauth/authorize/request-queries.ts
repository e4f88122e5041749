import { type Insertable, sql } from 'kysely'
import type { Db, Tables } from '../../../db/tables.ts'
import type { StoredParameters } from '../grant-rows.ts'

export interface OpenRequest {
  id: string
  created_at: Date
  client_id: string
  params: StoredParameters
}

const maxOfAddress = 20
const maxOfBrowser = 5

type NewRequest = Omit<Insertable<Tables['oauth_requests']>, 'params'> & { params: StoredParameters }

/** At most `max`. */
export async function countAuthorizationRequests(db: Db, max: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count
    FROM (SELECT FROM oauth_requests LIMIT ${max}) AS open`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Of a browser's requests, the oldest ones end. Returns false if many requests are open, and the address already has several of
 * them.
 */
export async function insertAuthorizationRequest(
  db: Db,
  { params, ...row }: NewRequest,
  { isCrowded }: { isCrowded: boolean },
): Promise<boolean> {
  const { rows } = await sql`WITH others AS (
      DELETE FROM oauth_requests WHERE id IN (SELECT id FROM oauth_requests WHERE browser_hash = ${row.browser_hash}
        ORDER BY created_at DESC OFFSET ${maxOfBrowser - 1}))
    INSERT INTO oauth_requests (id, created_at, browser_hash, client_id, params, ip_address, expires_at)
    SELECT ${row.id}, ${row.created_at}, ${row.browser_hash}, ${row.client_id}, ${JSON.stringify(params)}::jsonb,
      ${row.ip_address}, ${row.expires_at}
    WHERE NOT ${isCrowded}::boolean OR (SELECT count(*) FROM (SELECT FROM oauth_requests
      WHERE ip_address = ${row.ip_address} LIMIT ${maxOfAddress}) AS own) < ${maxOfAddress}
    RETURNING id`.execute(db)
  return rows.length > 0
}

interface RequestOfBrowser {
  id: string
  browserHash: Buffer
  now: Date
}

/** Undefined if another browser began the request, or if it is over. */
export const findAuthorizationRequest = (
  db: Db,
  { id, browserHash, now }: RequestOfBrowser,
): Promise<OpenRequest | undefined> =>
  db
    .selectFrom('oauth_requests')
    .select(['id', 'created_at', 'client_id', 'params'])
    .where('id', '=', id)
    .where('browser_hash', '=', browserHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** Returns false if the request is over. One conditional statement decides between several answers. */
export async function consumeRequest(db: Db, { id, browserHash, now }: RequestOfBrowser): Promise<boolean> {
  const result = await db
    .deleteFrom('oauth_requests')
    .where('id', '=', id)
    .where('browser_hash', '=', browserHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return Number(result.numDeletedRows) > 0
}

export async function eraseOldRequests(db: Db, now: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM oauth_requests WHERE id IN (SELECT id FROM oauth_requests
    WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
