import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'

export interface NewRefreshToken {
  hash: Buffer
  grantId: string
  now: Date
  expiresAt: Date
}

export const insertRefreshToken = (db: Db, { hash, grantId, now, expiresAt }: NewRefreshToken) =>
  db
    .insertInto('oauth_refresh_tokens')
    .values({ token_hash: hash, grant_id: grantId, created_at: now, expires_at: expiresAt })
    .execute()

/**
 * Returns false if the token was rotated before, or has expired. One conditional statement decides between requests. Notes the
 * use of the grant.
 */
export async function rotateRefreshToken(
  db: Db,
  { hash, salt, now }: { hash: Buffer; salt: Buffer; now: Date },
): Promise<boolean> {
  const { rows } = await sql`WITH rotated AS (
      UPDATE oauth_refresh_tokens SET rotated_at = ${now}, successor_salt = ${salt}
      WHERE token_hash = ${hash} AND rotated_at IS NULL AND expires_at > ${now} RETURNING grant_id),
    noted AS (UPDATE oauth_grants SET last_used_at = ${now} WHERE id IN (SELECT grant_id FROM rotated))
    SELECT grant_id FROM rotated`.execute(db)
  return rows.length > 0
}

export const findRefreshToken = (db: Db, hash: Buffer) =>
  db
    .selectFrom('oauth_refresh_tokens')
    .select(['grant_id', 'rotated_at', 'successor_salt', 'expires_at'])
    .where('token_hash', '=', hash)
    .executeTakeFirst()

/** Tokens that were rotated are kept until they would have expired, because using one again ends the grant. */
export async function eraseExpiredRefreshTokens(db: Db, now: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM oauth_refresh_tokens WHERE token_hash IN (
    SELECT token_hash FROM oauth_refresh_tokens WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${limit}
    FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
