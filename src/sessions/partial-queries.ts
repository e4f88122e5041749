import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'
import type { SessionEnd } from './end-queries.ts'

export const noteSeenInUrl = (db: Db, id: string) =>
  db.updateTable('sessions').set({ seen_in_url: true }).where('id', '=', id).where('status', '=', 'pending').execute()

interface Promotion {
  now: Date
  /** Partial sessions that started before this time have expired. */
  pendingSince: Date
  /** The hash of the new token. */
  newHash: Buffer
  /** `seen`: the token is replaced only if it has appeared in a URL. */
  replaces: 'seen' | 'any'
  /** A second factor completes only sign-ins, and a new passkey also recoveries. */
  by: 'second_factor' | 'passkey'
}

/** The SQL condition for sessions in which a second factor was confirmed. */
export const isConfirmedSession = sql<boolean>`two_factor_verified`

/** Uses one conditional statement. Returns undefined if the session has ended, has expired or is already complete. */
export async function promotePartial(
  db: Db,
  id: string,
  { now, pendingSince, newHash, replaces, by }: Promotion,
): Promise<{ has_new_value: boolean } | undefined> {
  const { rows } = await sql<{ has_new_value: boolean }>`UPDATE sessions SET
      status = 'active', two_factor_verified = true, proof = CASE WHEN ${by === 'passkey'} THEN 'passkey' ELSE proof END,
      started_at = ${now}, last_used_at = ${now}, proved_at = ${now},
      token_hash = CASE WHEN seen_in_url OR ${replaces === 'any'} THEN ${newHash} ELSE token_hash END
    WHERE id = ${id} AND status = 'pending' AND created_at > ${pendingSince}
      AND (proof <> 'recovery' OR ${by === 'passkey'})
    RETURNING token_hash = ${newHash} AS has_new_value`.execute(db)
  return rows[0]
}

/**
 * The session stays partial, because the user must also add a passkey. Returns undefined if it has ended or expired. A
 * token that was part of a URL is replaced, because from now on it can add a passkey.
 */
export async function confirmPartial(
  db: Db,
  id: string,
  { pendingSince, newHash, replaces }: Pick<Promotion, 'pendingSince' | 'newHash' | 'replaces'>,
): Promise<{ has_new_value: boolean } | undefined> {
  const { rows } = await sql<{ has_new_value: boolean }>`UPDATE sessions SET two_factor_verified = true,
      seen_in_url = false,
      token_hash = CASE WHEN seen_in_url OR ${replaces === 'any'} THEN ${newHash} ELSE token_hash END
    WHERE id = ${id} AND status = 'pending' AND created_at > ${pendingSince} AND proof <> 'recovery'
    RETURNING token_hash = ${newHash} AS has_new_value`.execute(db)
  return rows[0]
}

export async function countWrongCode(
  db: Db,
  id: string,
  { now, reason, max }: SessionEnd & { max: number },
): Promise<{ wrong_codes: number } | undefined> {
  const isLast = sql`wrong_codes + 1 >= ${max}`
  const { rows } = await sql<{ wrong_codes: number }>`UPDATE sessions SET
      wrong_codes = wrong_codes + 1,
      status = CASE WHEN ${isLast} THEN 'revoked' ELSE status END,
      ended_at = CASE WHEN ${isLast} THEN ${now}::timestamptz END,
      end_reason = CASE WHEN ${isLast} THEN ${reason} END
    WHERE id = ${id} AND status = 'pending' RETURNING wrong_codes`.execute(db)
  return rows[0]
}
