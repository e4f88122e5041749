import { type Insertable, sql } from 'kysely'
import type { Db, Tables } from '../db/tables.ts'
import { forgetPasskeyProofs } from '../sessions/queries.ts'
import type { PasskeyAssertion } from './check-response.ts'
import type { KnownCredential } from './options.ts'

export type PasskeyRow = Tables['passkeys']

/** Returns false if the credential is already registered, even for the same user. */
export async function insertPasskey(db: Db, row: PasskeyRow): Promise<boolean> {
  const inserted = await db
    .insertInto('passkeys')
    .values(row)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export type StoredPasskey = Pick<PasskeyRow, 'id' | 'user_id' | 'public_key' | 'uv_seen' | 'created_via'>

export const findPasskey = (db: Db, credentialId: Buffer): Promise<StoredPasskey | undefined> =>
  db
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .select(['passkeys.id', 'passkeys.user_id', 'passkeys.public_key', 'passkeys.uv_seen', 'passkeys.created_via'])
    .where('passkeys.credential_id', '=', credentialId)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst()

/** Includes the passkeys of deleted users that have not been erased. */
export async function isStored(db: Db, credentialId: Buffer): Promise<boolean> {
  const { rows } = await sql`SELECT FROM passkeys WHERE credential_id = ${credentialId}`.execute(db)
  return rows.length > 0
}

export const listCredentials = (db: Db, userId: string): Promise<KnownCredential[]> =>
  db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

const shownColumns = [
  'id',
  'credential_id',
  'name',
  'created_at',
  'last_used_at',
  'created_via',
  'be',
  'bs',
  'uv_seen',
] as const

export type ListedPasskey = Pick<PasskeyRow, (typeof shownColumns)[number]>

export const listPasskeys = (db: Db, userId: string): Promise<ListedPasskey[]> =>
  db
    .selectFrom('passkeys')
    .select([...shownColumns])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export type ManagedPasskey = Omit<ListedPasskey, 'credential_id'> & Pick<PasskeyRow, 'aaguid'>

/** For administrators. */
export const listManagedPasskeys = (db: Db, userId: string): Promise<ManagedPasskey[]> =>
  db
    .selectFrom('passkeys')
    .select(['id', 'name', 'aaguid', 'created_at', 'last_used_at', 'created_via', 'be', 'bs', 'uv_seen'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** Also returns whether the user has requested to create a passkey since `since` and has not finished, in one query. */
export async function listWithCreations(
  db: Db,
  userId: string,
  since: Date,
): Promise<{ passkeys: ListedPasskey[]; isCreating: boolean }> {
  const { rows } = await sql<ListedPasskey & { is_creating: boolean }>`
    SELECT creation.is_creating, passkeys.* FROM (
      SELECT EXISTS (
        SELECT FROM one_time_secrets WHERE user_id = ${userId} AND used_at IS NULL AND created_at > ${since}
          AND purpose IN ('passkey_setup', 'passkey_upgrade')) AS is_creating
    ) AS creation
    LEFT JOIN (
      SELECT id, credential_id, name, created_at, last_used_at, created_via, be, bs, uv_seen
      FROM passkeys WHERE user_id = ${userId}) AS passkeys ON true
    ORDER BY created_at, id`.execute(db)
  return { passkeys: rows.filter(({ id }) => id !== null), isCreating: rows.some(({ is_creating }) => is_creating) }
}

/** Whether the user has a passkey that signs in. */
export async function hasVerifiedPasskey(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('passkeys')
    .select('id')
    .where('user_id', '=', userId)
    .where('uv_seen', '=', true)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function countPasskeys(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('passkeys')
    .select((build) => build.fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Returns false if the counter has not increased, in which case the authenticator may have been cloned, or if the
 * backup eligibility differs, which never changes for a passkey (WebAuthn level 3, 6.1.3).
 */
export async function notePasskeyUse(db: Db, id: string, assertion: PasskeyAssertion, now: Date): Promise<boolean> {
  const { rows } = await updateUsed(id, assertion, now).execute(db)
  return rows.length > 0
}

const updateUsed = (id: string, { sign_count, uv, be, bs }: PasskeyAssertion, now: Date) => sql`
  UPDATE passkeys SET sign_count = ${sign_count}, bs = ${bs}, uv_seen = uv_seen OR ${uv}, last_used_at = ${now}
  WHERE id = ${id} AND be = ${be} AND (sign_count < ${sign_count} OR (sign_count = 0 AND ${sign_count} = 0))
  RETURNING id`

/** A challenge that is stored only when it is used. */
export type UsedChallenge = Pick<
  Insertable<Tables['one_time_secrets']>,
  'id' | 'purpose' | 'secret_hash' | 'created_at' | 'expires_at'
> & { used_at: Date }

/**
 * Records the use of a passkey and of a challenge in one round trip. The caller must roll back if either is false:
 * `isCurrent` is false for the reasons of `notePasskeyUse`, `isUnused` if the challenge has been used.
 */
export async function noteSignIn(
  db: Db,
  id: string,
  assertion: PasskeyAssertion,
  challenge: UsedChallenge,
): Promise<{ isCurrent: boolean; isUnused: boolean }> {
  const { purpose, secret_hash, created_at, used_at, expires_at } = challenge
  const { rows } = await sql<{ isCurrent: boolean; isUnused: boolean }>`
    WITH current AS (${updateUsed(id, assertion, used_at)}), unused AS (
      INSERT INTO one_time_secrets (id, purpose, secret_hash, created_at, used_at, expires_at)
      VALUES (${challenge.id}, ${purpose}, ${secret_hash}, ${created_at}, ${used_at}, ${expires_at})
      ON CONFLICT (secret_hash) DO NOTHING RETURNING id)
    SELECT EXISTS (SELECT FROM current) AS "isCurrent", EXISTS (SELECT FROM unused) AS "isUnused"`.execute(db)
  const [outcome] = rows
  if (!outcome) throw new Error('the sign-in was not recorded')
  return outcome
}

/** Whether the user has added a passkey to an existing account since then. */
export async function hasAddedPasskeySince(db: Db, userId: string, since: Date): Promise<boolean> {
  const { rows } = await sql`SELECT FROM passkeys
    WHERE user_id = ${userId} AND created_via <> 'registration' AND created_at > ${since} LIMIT 1`.execute(db)
  return rows.length > 0
}

export async function renamePasskey(db: Db, userId: string, id: string, name: string): Promise<boolean> {
  const row = await db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function deletePasskey(db: Db, userId: string, id: string): Promise<{ name: string } | undefined> {
  const deletion = db.deleteFrom('passkeys').where('id', '=', id).where('user_id', '=', userId)
  const removed = await deletion.returning('name').executeTakeFirst()
  // The session that stays may have been proven with this passkey, which a thief could have added.
  if (removed) await forgetPasskeyProofs(db, userId)
  return removed
}

/** Passkeys that a browser created without asking the user, and whose authenticator has never verified the user. */
export const deleteUnusedUpgrades = (db: Db, userId: string): Promise<{ id: string; name: string }[]> =>
  db
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('created_via', '=', 'upgrade')
    .where('uv_seen', '=', false)
    .returning(['id', 'name'])
    .execute()

export async function deletePasskeysOf(db: Db, userId: string): Promise<string[]> {
  const rows = await db.deleteFrom('passkeys').where('user_id', '=', userId).returning('id').execute()
  return rows.map(({ id }) => id).toSorted()
}
