import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'

/** Purposes that modules add, by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: modules fill it.
export interface ModuleSecretPurposes {}

/** What a one-time secret is for. It acts only where its purpose is asked for. */
export type SecretPurpose =
  | 'verify_email'
  | 'email_change_current'
  | 'email_change_new'
  | 'email_change_cancel'
  | 'password_reset'
  | 'setup'
  | 'login'
  | keyof ModuleSecretPurposes

export interface SecretRow {
  id: string
  purpose: SecretPurpose
  secret_hash: string
  user_id: string | null
  target: string | null
  created_at: Date
  expires_at: Date
  code_hash?: string
  code_expires_at?: Date
  guesses?: number
}

export const insertSecret = (db: Db, row: SecretRow) => db.insertInto('one_time_secrets').values(row).execute()

/** Only the newest secret of a kind works. */
export const voidSecrets = (db: Db, purpose: SecretPurpose, userId: string | null, now: Date) =>
  db
    .updateTable('one_time_secrets')
    .set({ used_at: now })
    .where('purpose', '=', purpose)
    .where('user_id', userId === null ? 'is' : '=', userId)
    .where('used_at', 'is', null)
    .execute()

/** The same for secrets of one target, whether or not it belongs to a user yet. */
export const voidSecretsTo = (db: Db, purpose: SecretPurpose, userId: string | null, target: string, now: Date) =>
  db
    .updateTable('one_time_secrets')
    .set({ used_at: now })
    .where('purpose', '=', purpose)
    .where('user_id', userId === null ? 'is' : '=', userId)
    .where('target', '=', target)
    .where('used_at', 'is', null)
    .execute()

/** Whatever the user could still redeem is dead. */
export const voidSecretsOf = (db: Db, userId: string, now: Date) =>
  db
    .updateTable('one_time_secrets')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute()

/** The next unused secrets of all users and of none, in the order of their ids. */
export async function voidNextSecrets(db: Db, after: string, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`UPDATE one_time_secrets SET used_at = ${now} WHERE id IN (
    SELECT id FROM one_time_secrets WHERE used_at IS NULL AND id > ${after} ORDER BY id LIMIT ${limit}
    FOR NO KEY UPDATE) RETURNING id`.execute(db)
  return rows.map(({ id }) => id).toSorted()
}

/** Whom and what a secret must have been made for: that of somebody else stays unspent. */
export interface BoundTo {
  userId: string | null
  target: string | null
}

/** One statement decides who spends it: whoever comes second finds nothing. */
export async function consumeSecret(db: Db, purpose: SecretPurpose, hash: string, now: Date, boundTo?: BoundTo) {
  const { rows } = await sql<ProvenSecret>`
    UPDATE one_time_secrets SET used_at = ${now}
    WHERE secret_hash = ${hash} AND purpose = ${purpose} AND used_at IS NULL AND expires_at > ${now}
      ${boundTo ? madeFor(boundTo) : sql``}
    RETURNING id, user_id, target`.execute(db)
  return rows[0]
}

const madeFor = ({ userId, target }: BoundTo) =>
  sql`AND user_id IS NOT DISTINCT FROM ${userId}::uuid AND target IS NOT DISTINCT FROM ${target}`

/** What the row of a secret says about whoever has shown that they have it. */
export interface ProvenSecret {
  id: string
  user_id: string | null
  target: string | null
}

interface Guess {
  id: string
  hash: string
  /** How many guesses one code takes. */
  most: number
  now: Date
}

const takesGuesses = (purpose: SecretPurpose, { id, most, now }: Guess) =>
  sql`id = ${id} AND purpose = ${purpose} AND used_at IS NULL AND code_expires_at > ${now} AND guesses < ${most}`

/**
 * Counts one guess at the code of a secret and, when it is right, spends the secret: one statement, so that parallel
 * guesses get no more tries than there are, and of two right ones one wins.
 */
export async function guessCode(db: Db, purpose: SecretPurpose, guess: Guess): Promise<ProvenSecret | undefined> {
  const { hash, now } = guess
  const { rows } = await sql<ProvenSecret & { is_right: boolean }>`
    UPDATE one_time_secrets SET
      guesses = guesses + 1, used_at = CASE WHEN code_hash = ${hash} THEN ${now}::timestamptz END
    WHERE ${takesGuesses(purpose, guess)}
    RETURNING id, user_id, target, used_at IS NOT NULL AS is_right`.execute(db)
  return rows[0]?.is_right ? rows[0] : undefined
}

/** Looks at the code of a secret without spending it. A wrong one is counted as a guess all the same. */
export async function checkCode(db: Db, purpose: SecretPurpose, guess: Guess): Promise<ProvenSecret | undefined> {
  const { hash } = guess
  const { rows } = await sql<ProvenSecret & { is_right: boolean }>`
    UPDATE one_time_secrets SET guesses = guesses + CASE WHEN code_hash = ${hash} THEN 0 ELSE 1 END
    WHERE ${takesGuesses(purpose, guess)}
    RETURNING id, user_id, target, code_hash = ${hash} AS is_right`.execute(db)
  return rows[0]?.is_right ? rows[0] : undefined
}

/** The code that somebody may try at the moment, with the guesses that it has taken. */
export const findLiveCode = (db: Db, purpose: SecretPurpose, userId: string, target: string, now: Date) =>
  db
    .selectFrom('one_time_secrets')
    .select(['id', 'guesses'])
    .where('purpose', '=', purpose)
    .where('user_id', '=', userId)
    .where('target', '=', target)
    .where('used_at', 'is', null)
    .where('code_expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()

/** Spends one secret of a user that is bound to any of these targets; false when there is none. */
export async function consumeAnyOf(
  db: Db,
  purpose: SecretPurpose,
  userId: string,
  targets: readonly string[],
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`UPDATE one_time_secrets SET used_at = ${now}
    WHERE used_at IS NULL AND id IN (
      SELECT id FROM one_time_secrets
      WHERE purpose = ${purpose} AND user_id = ${userId} AND target = ANY(${targets}::text[])
        AND used_at IS NULL AND expires_at > ${now} ORDER BY created_at LIMIT 1)
    RETURNING id`.execute(db)
  return rows.length > 0
}

/** A secret by its id, which is public: says whom it is for, and proves nothing. */
export const findSecret = (db: Db, purpose: SecretPurpose, id: string) =>
  db
    .selectFrom('one_time_secrets')
    .select(['id', 'user_id', 'target'])
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .executeTakeFirst()

/** Whom a secret of this kind is for, spent or not; undefined when it is for nobody. */
export async function findOwnerId(db: Db, purpose: SecretPurpose, hash: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('one_time_secrets')
    .select('user_id')
    .where('secret_hash', '=', hash)
    .where('purpose', '=', purpose)
    .executeTakeFirst()
  return row?.user_id ?? undefined
}

/** A secret that would be redeemed now; looking spends nothing. */
export const findUsable = (db: Db, purpose: SecretPurpose, hash: string, now: Date) =>
  db
    .selectFrom('one_time_secrets')
    .select(['user_id', 'target'])
    .where('secret_hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** Which of several kinds a secret is of, spent or not: for links that lead to one place. Redeeming it still decides. */
export async function findPurpose<Purpose extends SecretPurpose>(
  db: Db,
  among: readonly Purpose[],
  hash: string,
): Promise<Purpose | undefined> {
  const row = await db
    .selectFrom('one_time_secrets')
    .select('purpose')
    .where('secret_hash', '=', hash)
    .where('purpose', 'in', among)
    .executeTakeFirst()
  return row?.purpose as Purpose | undefined
}

/** Whose secret this was, spent or not: for the friendly "already done" of confirm pages. Says nothing to API callers. */
export const findSecretOwner = (db: Db, purpose: SecretPurpose, hash: string) =>
  db
    .selectFrom('one_time_secrets')
    .innerJoin('users', 'users.id', 'one_time_secrets.user_id')
    .select(['users.email', 'users.is_verified', 'one_time_secrets.target', 'one_time_secrets.used_at'])
    .where('secret_hash', '=', hash)
    .where('purpose', '=', purpose)
    .executeTakeFirst()

export async function deleteExpiredSecrets(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM one_time_secrets WHERE id IN (
    SELECT id FROM one_time_secrets WHERE expires_at < ${before} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
