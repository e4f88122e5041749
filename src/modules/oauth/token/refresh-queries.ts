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

/** Returns false if the token was rotated before, or has expired. One conditional statement decides between requests. */
export async function rotateRefreshToken(
  db: Db,
  { hash, salt, now }: { hash: Buffer; salt: Buffer; now: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('oauth_refresh_tokens')
    .set({ rotated_at: now, successor_salt: salt })
    .where('token_hash', '=', hash)
    .where('rotated_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) > 0
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
