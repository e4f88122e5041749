import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/tables.ts'
import { isBlocked } from '../users/block-queries.ts'
import type { OfferedMethods } from './offered-methods.ts'

/** Whether a row of `users` can sign in with one of the methods. */
const opens = ({ password, passkey, email, phone, providers }: OfferedMethods): RawBuilder<boolean> => sql`(
  (${password} AND users.password_hash IS NOT NULL)
  OR (${passkey} AND EXISTS (SELECT FROM passkeys WHERE user_id = users.id AND uv_seen))
  OR (${email} AND users.is_verified)
  OR (${phone} AND users.phone IS NOT NULL AND users.phone_trusted)
  OR EXISTS (SELECT FROM social_accounts WHERE user_id = users.id AND provider = ANY(${[...providers]}::text[])))`

export async function opensFor(db: Db, userId: string, offered: OfferedMethods): Promise<boolean> {
  const query = sql<{ id: string }>`SELECT id FROM users WHERE id = ${userId} AND ${opens(offered)}`
  return (await query.execute(db)).rows.length > 0
}

/** Whether the user has a verified passkey and no password. */
export async function reliesOnPasskeys(db: Db, userId: string, offered: OfferedMethods): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM users WHERE id = ${userId} AND NOT (${offered.password} AND password_hash IS NOT NULL)
      AND ${offered.passkey} AND EXISTS (SELECT FROM passkeys WHERE user_id = users.id AND uv_seen)`.execute(db)
  return rows.length > 0
}

interface MethodChange {
  before: OfferedMethods
  after: OfferedMethods
}

/** The number of users who can sign in before a change but not afterwards. */
export async function countWithoutMethod(db: Db, { before, after }: MethodChange): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM users
    WHERE deleted_at IS NULL AND ${opens(before)} AND NOT ${opens(after)}`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Whether a superadmin who is neither deleted nor blocked can sign in, or has a link to set up the account or to add a
 * passkey. `except` is the id of a superadmin who does not count.
 */
export async function canSuperadminSignIn(
  db: Db,
  offered: OfferedMethods,
  { now, except = null }: { now: Date; except?: string | null },
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM users
    WHERE user_type = 'superadmin' AND deleted_at IS NULL AND id IS DISTINCT FROM ${except}::uuid
      AND NOT ${isBlocked(now)} AND (${opens(offered)} OR EXISTS (
      SELECT FROM one_time_secrets WHERE user_id = users.id AND purpose IN ('password_reset', 'passkey_link')
        AND used_at IS NULL AND expires_at > ${now}))
    LIMIT 1`.execute(db)
  return rows.length > 0
}

export async function hasUsers(db: Db): Promise<boolean> {
  return (await sql`SELECT FROM users LIMIT 1`.execute(db)).rows.length > 0
}

/** The version and the author do not matter here. */
export const findStoredValues = (db: Db) =>
  db.selectFrom('stored_settings').select(['name', 'value']).orderBy('name').execute()
