import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'

export interface PresentedAuthorizationCode {
  hash: Buffer
  redirectUri: string
  /** S256 of the verifier. Null if none was sent, which must be so if the request had no challenge (RFC 9700, 4.8.2). */
  challenge: string | null
}

/** Returns undefined if the code cannot be used. One conditional statement decides between several requests. */
export const consumeAuthorizationCode = (
  db: Db,
  { hash, redirectUri, challenge }: PresentedAuthorizationCode,
  now: Date,
): Promise<{ nonce: string | null } | undefined> =>
  db
    .updateTable('oauth_codes')
    .set({ used_at: now })
    .where('code_hash', '=', hash)
    .where('redirect_uri', '=', redirectUri)
    .where('code_challenge', challenge === null ? 'is' : '=', challenge)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('nonce')
    .executeTakeFirst()

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
