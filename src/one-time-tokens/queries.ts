import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'

// biome-ignore lint/suspicious/noEmptyInterface: modules add members.
export interface ModuleTokenPurposes {}

/** A token is accepted only for its purpose. */
export type TokenPurpose =
  | 'verify_email'
  | 'email_change_current'
  | 'email_change_new'
  | 'email_change_cancel'
  | 'password_reset'
  | 'setup'
  | 'login'
  | 'passkey_login'
  | 'passkey_setup'
  | 'passkey_upgrade'
  | 'passkey_check'
  | 'passkey_registration'
  | 'passkey_registration_code'
  | 'recovery'
  | 'passkey_link'
  | keyof ModuleTokenPurposes

export interface TokenRow {
  id: string
  purpose: TokenPurpose
  secret_hash: Buffer
  user_id: string | null
  target: string | null
  created_at: Date
  expires_at: Date
  code_hash?: Buffer
  code_expires_at?: Date
  guesses?: number
}

export const insertToken = (db: Db, row: TokenRow) => db.insertInto('one_time_secrets').values(row).execute()

/** Invalidates the user's earlier tokens with this purpose because only the newest token is valid. */
export const voidTokens = (db: Db, purpose: TokenPurpose, userId: string | null, now: Date) =>
  db
    .updateTable('one_time_secrets')
    .set({ used_at: now })
    .where('purpose', '=', purpose)
    .where('user_id', userId === null ? 'is' : '=', userId)
    .where('used_at', 'is', null)
    .execute()

export const voidTokensTo = (db: Db, purpose: TokenPurpose, userId: string | null, target: string, now: Date) =>
  db
    .updateTable('one_time_secrets')
    .set({ used_at: now })
    .where('purpose', '=', purpose)
    .where('user_id', userId === null ? 'is' : '=', userId)
    .where('target', '=', target)
    .where('used_at', 'is', null)
    .execute()

export const voidTokensOf = (db: Db, userId: string, now: Date) =>
  db
    .updateTable('one_time_secrets')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute()

/**
 * Ends changes of email addresses that would take effect without the current address, except those that were requested
 * in this session.
 */
export const voidDelayedChanges = (db: Db, userIds: readonly string[], session: string | null, now: Date) =>
  sql`UPDATE one_time_secrets SET used_at = ${now} WHERE user_id = ANY(${[...userIds]}::uuid[]) AND used_at IS NULL
    AND purpose IN ('email_change_current', 'email_change_new', 'email_change_cancel') AND target IN (
      SELECT id::text FROM email_changes WHERE user_id = ANY(${[...userIds]}::uuid[]) AND status = 'pending'
        AND notice_id IS NOT NULL AND session_id IS DISTINCT FROM ${session}::uuid)`.execute(db)

export async function voidTokensBefore(db: Db, after: string, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`UPDATE one_time_secrets SET used_at = ${now} WHERE id IN (
    SELECT id FROM one_time_secrets WHERE used_at IS NULL AND id > ${after} ORDER BY id LIMIT ${limit}
    FOR NO KEY UPDATE) RETURNING id`.execute(db)
  return rows.map(({ id }) => id).toSorted()
}

export interface BoundTo {
  userId: string | null
  target: string | null
}

export async function consumeToken(db: Db, purpose: TokenPurpose, hash: Buffer, now: Date, boundTo?: BoundTo) {
  const { rows } = await sql<ConsumedToken>`
    UPDATE one_time_secrets SET used_at = ${now}
    WHERE secret_hash = ${hash} AND purpose = ${purpose} AND used_at IS NULL AND expires_at > ${now}
      ${boundTo ? madeFor(boundTo) : sql``}
    RETURNING id, user_id, target`.execute(db)
  return rows[0]
}

/** Only for tokens whose code was checked before. */
export async function consumeTokenById(
  db: Db,
  purpose: TokenPurpose,
  id: string,
  now: Date,
): Promise<ConsumedToken | undefined> {
  const { rows } = await sql<ConsumedToken>`
    UPDATE one_time_secrets SET used_at = ${now}
    WHERE id = ${id} AND purpose = ${purpose} AND used_at IS NULL AND expires_at > ${now}
    RETURNING id, user_id, target`.execute(db)
  return rows[0]
}

const madeFor = ({ userId, target }: BoundTo) =>
  sql`AND user_id IS NOT DISTINCT FROM ${userId}::uuid AND target IS NOT DISTINCT FROM ${target}`

export interface ConsumedToken {
  id: string
  user_id: string | null
  target: string | null
}

interface CodeGuess {
  id: string
  hash: Buffer
  /** The maximum number of attempts per code. */
  max: number
  now: Date
}

const takesGuesses = (purpose: TokenPurpose, { id, max, now }: CodeGuess) =>
  sql`id = ${id} AND purpose = ${purpose} AND used_at IS NULL AND code_expires_at > ${now} AND guesses < ${max}`

/** Uses one statement so that parallel attempts cannot exceed the limit. */
export async function guessCode(db: Db, purpose: TokenPurpose, guess: CodeGuess): Promise<ConsumedToken | undefined> {
  const { hash, now } = guess
  const { rows } = await sql<ConsumedToken & { is_right: boolean }>`
    UPDATE one_time_secrets SET
      guesses = guesses + 1, used_at = CASE WHEN code_hash = ${hash} THEN ${now}::timestamptz END
    WHERE ${takesGuesses(purpose, guess)}
    RETURNING id, user_id, target, used_at IS NOT NULL AS is_right`.execute(db)
  return rows[0]?.is_right ? rows[0] : undefined
}

/** Counts the attempt if the code is wrong. Does not consume a correct code. */
export async function checkCode(db: Db, purpose: TokenPurpose, guess: CodeGuess): Promise<ConsumedToken | undefined> {
  const { hash } = guess
  const { rows } = await sql<ConsumedToken & { is_right: boolean }>`
    UPDATE one_time_secrets SET guesses = guesses + CASE WHEN code_hash = ${hash} THEN 0 ELSE 1 END
    WHERE ${takesGuesses(purpose, guess)}
    RETURNING id, user_id, target, code_hash = ${hash} AS is_right`.execute(db)
  return rows[0]?.is_right ? rows[0] : undefined
}

export const findLiveCode = (db: Db, purpose: TokenPurpose, userId: string, target: string, now: Date) =>
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

export async function consumeAnyOf(
  db: Db,
  purpose: TokenPurpose,
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

/** Ids are public, so finding a token by its id does not authorize anything. */
export const findToken = (db: Db, purpose: TokenPurpose, id: string) =>
  db
    .selectFrom('one_time_secrets')
    .select(['id', 'user_id', 'target'])
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .executeTakeFirst()

/** Returns a token's owner, even if the token was already used. Undefined if it has no owner. */
export async function findOwnerId(db: Db, purpose: TokenPurpose, hash: Buffer): Promise<string | undefined> {
  const row = await db
    .selectFrom('one_time_secrets')
    .select('user_id')
    .where('secret_hash', '=', hash)
    .where('purpose', '=', purpose)
    .executeTakeFirst()
  return row?.user_id ?? undefined
}

export const findUsable = (db: Db, purpose: TokenPurpose, hash: Buffer, now: Date) =>
  db
    .selectFrom('one_time_secrets')
    .select(['user_id', 'target'])
    .where('secret_hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** Distinguishes links that have different purposes but share a URL. The token is validated when it is consumed. */
export async function findPurpose<Purpose extends TokenPurpose>(
  db: Db,
  among: readonly Purpose[],
  hash: Buffer,
): Promise<Purpose | undefined> {
  const row = await db
    .selectFrom('one_time_secrets')
    .select('purpose')
    .where('secret_hash', '=', hash)
    .where('purpose', 'in', among)
    .executeTakeFirst()
  return row?.purpose as Purpose | undefined
}

/** Used by pages that report that a token was already used. The API never exposes the result. */
export const findTokenOwner = (db: Db, purpose: TokenPurpose, hash: Buffer) =>
  db
    .selectFrom('one_time_secrets')
    .innerJoin('users', 'users.id', 'one_time_secrets.user_id')
    .select(['users.id', 'users.email', 'users.is_verified', 'users.created_at'])
    .select(['one_time_secrets.target', 'one_time_secrets.used_at', 'one_time_secrets.expires_at'])
    .where('secret_hash', '=', hash)
    .where('purpose', '=', purpose)
    .executeTakeFirst()

export async function deleteExpiredOneTimeTokens(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM one_time_secrets WHERE id IN (
    SELECT id FROM one_time_secrets WHERE expires_at < ${before} ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0n)
}
