import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'

export interface PresentedAuthorizationCode {
  hash: Buffer
  redirectUri: string
  /** S256 of the verifier. Null if none was sent, which must be so if the request had no challenge (RFC 9700, 4.8.2). */
  challenge: string | null
}

/**
 * Returns undefined if the code cannot be used. One conditional statement decides between several requests. Notes the use of the
 * grant.
 */
export async function consumeAuthorizationCode(
  db: Db,
  { hash, redirectUri, challenge }: PresentedAuthorizationCode,
  now: Date,
): Promise<{ nonce: string | null } | undefined> {
  const { rows } = await sql<{ nonce: string | null }>`WITH used AS (
      UPDATE oauth_codes SET used_at = ${now} WHERE code_hash = ${hash} AND redirect_uri = ${redirectUri}
        AND code_challenge IS NOT DISTINCT FROM ${challenge}::text AND used_at IS NULL AND expires_at > ${now}
      RETURNING grant_id, nonce),
    noted AS (UPDATE oauth_grants SET last_used_at = ${now} WHERE id IN (SELECT grant_id FROM used))
    SELECT nonce FROM used`.execute(db)
  return rows[0]
}

/** Whether a code that was used is presented again, with everything that belongs to it. */
export async function isReusedCode(
  db: Db,
  { hash, redirectUri, challenge }: PresentedAuthorizationCode,
): Promise<boolean> {
  const row = await db
    .selectFrom('oauth_codes')
    .select('used_at')
    .where('code_hash', '=', hash)
    .where('redirect_uri', '=', redirectUri)
    .where('code_challenge', challenge === null ? 'is' : '=', challenge)
    .executeTakeFirst()
  return row !== undefined && row.used_at !== null
}

export async function eraseOldCodes(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM oauth_codes WHERE code_hash IN (SELECT code_hash FROM oauth_codes
    WHERE expires_at < ${before} ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
