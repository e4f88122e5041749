import { sql, type Updateable } from 'kysely'
import type { Context, UserRow } from '../context.ts'
import { violatedIndex } from '../db/errors.ts'
import type { ModuleUserColumns } from '../db/rows/users.ts'
import { runText, textOnce } from '../db/run-text.ts'
import type { Db, Tables } from '../db/tables.ts'
import { type AppError, phoneTaken, userNameTaken } from '../lib/errors.ts'
import { userColumns } from './columns.ts'

export type UserWithPassword = UserRow & { password_hash: string | null }

export function withoutPassword({ password_hash: _password, ...visible }: UserWithPassword): UserRow {
  return visible as UserRow
}

/** `modules` is required because modules add columns to the users table. */
export type UserReader = Pick<Context, 'db' | 'modules'>

const columnList = ({ modules }: UserReader) => sql.join(userColumns(modules).map((column) => sql.ref(column)))

const readAll = (columns: readonly string[]): string => `${columns.map(quoted).join(', ')}, password_hash`
const quoted = (column: string): string => `"${column.replaceAll('"', '')}"`

const byLogin = textOnce(
  (columns: readonly string[], match: string) =>
    `SELECT ${readAll(columns)} FROM users WHERE ${match} AND deleted_at IS NULL`,
)

/** Finds the user by email address if the login contains @, or else by user name. The login must be canonical. */
export async function findUserByLogin(ctx: UserReader, login: string): Promise<UserWithPassword | undefined> {
  const [match, value] = login.includes('@')
    ? ['email = $1', login]
    : ['lower(user_name) COLLATE "C" = $1', login.toLowerCase()]
  const [row] = await runText<UserWithPassword>(ctx.db, byLogin(userColumns(ctx.modules), match), [value])
  return row
}

export async function findUser(ctx: UserReader, id: string): Promise<UserRow | undefined> {
  const { rows } =
    await sql<UserRow>`SELECT ${columnList(ctx)} FROM users WHERE id = ${id} AND deleted_at IS NULL`.execute(ctx.db)
  return rows[0]
}

/** Finds the user by canonical email address or phone number. */
export async function findUserByContact(ctx: UserReader, contact: string) {
  const match = contact.includes('@') ? sql`email = ${contact}` : sql`phone = ${contact}`
  const { rows } =
    await sql<UserRow>`SELECT ${columnList(ctx)} FROM users WHERE ${match} AND deleted_at IS NULL`.execute(ctx.db)
  return rows[0]
}

/** Returns whether the user has this number and can sign in with it. */
export const isTrustedPhone = async (db: Db, id: string, phone: string): Promise<boolean> =>
  (await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('phone', '=', phone)
    .where('phone_trusted', '=', true)
    .executeTakeFirst()) !== undefined

/** Returns the user's id in the system from which the user was imported. */
export async function findExternalId(db: Db, id: string): Promise<string | null> {
  const row = await db.selectFrom('users').select('external_id').where('id', '=', id).executeTakeFirst()
  return row?.external_id ?? null
}

export async function findUserWithPassword(ctx: UserReader, id: string): Promise<UserWithPassword | undefined> {
  const { rows } = await sql<UserWithPassword>`
    SELECT ${columnList(ctx)}, password_hash FROM users WHERE id = ${id} AND deleted_at IS NULL`.execute(ctx.db)
  return rows[0]
}

const lockById = textOnce(
  (columns: readonly string[]) =>
    `SELECT ${readAll(columns)} FROM users WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`,
)

export async function lockUser(tx: UserReader, id: string): Promise<UserWithPassword | undefined> {
  const [row] = await runText<UserWithPassword>(tx.db, lockById(userColumns(tx.modules)), [id])
  return row
}

/** Locks the users in a fixed order to prevent deadlocks. */
export async function lockUsers(db: Db, ids: readonly string[]): Promise<void> {
  await sql`SELECT 1 FROM users WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`.execute(db)
}

export async function findNextUserIds(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = await db.selectFrom('users').select('id').where('id', '>', after).orderBy('id').limit(limit).execute()
  return rows.map(({ id }) => id)
}

export interface NewUserRow {
  id: string
  email: string
  user_name: string
  phone: string | null
  password_hash: string | null
  user_type: string
  name: string
  last_name: string
  picture: string
  lang: string | null
  tmz: string | null
  title: string | null
  is_verified: boolean
  created_at: Date
  updated_at: Date
}

/** Returns false if the email address, user name or phone number is taken. */
export async function insertUser(db: Db, row: NewUserRow): Promise<boolean> {
  const inserted = await db
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function takenValues(db: Db, row: Pick<NewUserRow, 'email' | 'user_name' | 'phone'>) {
  const { rows } = await sql<{ email: boolean; user_name: boolean; phone: boolean }>`
    SELECT EXISTS (SELECT 1 FROM users WHERE email = ${row.email}) AS email,
      EXISTS (SELECT 1 FROM users WHERE lower(user_name) COLLATE "C" = ${row.user_name.toLowerCase()}) AS user_name,
      EXISTS (SELECT 1 FROM users WHERE phone = ${row.phone}) AS phone`.execute(db)
  return rows[0] ?? { email: false, user_name: false, phone: false }
}

/** The members that an update may change. The email address, the password and deletion have their own functions. */
export type UserChanges = Partial<
  Pick<
    Updateable<Tables['users']>,
    | 'name'
    | 'last_name'
    | 'user_name'
    | 'phone'
    | 'display_name'
    | 'title'
    | 'gender'
    | 'dob'
    | 'picture'
    | 'lang'
    | 'tmz'
    | 'metadata'
    | 'first_time'
    | 'user_type'
    | 'is_verified'
    | 'two_factor'
    | keyof ModuleUserColumns
  >
>

/** Throws USER_NAME_TAKEN or PHONE_TAKEN if another user already has the user name or phone number. */
export async function updateUser(db: Db, id: string, changes: UserChanges, now: Date): Promise<void> {
  try {
    await db
      .updateTable('users')
      .set({ ...changes, updated_at: now, ...(changes.two_factor !== undefined && { two_factor_changed_at: now }) })
      .where('id', '=', id)
      .execute()
  } catch (error) {
    throw takenBy[violatedIndex(error) ?? '']?.() ?? error
  }
}

const takenBy: Record<string, () => AppError> = {
  users_user_name_key: () => userNameTaken(),
  users_phone_key: () => phoneTaken(),
}

/** Returns false if the user is already deleted. */
export async function markDeleted(db: Db, id: string, now: Date): Promise<boolean> {
  const row = await db
    .updateTable('users')
    .set({ deleted_at: now, updated_at: now })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function lockDeletedUsers(db: Db, deletedBefore: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM users
    WHERE deleted_at <= ${deletedBefore} ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the number of users whose erasure was postponed. */
export async function postponeErasures(db: Db, deletedAt: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ deleted_at: deletedAt })
    .where('deleted_at', '<', deletedAt)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Cascading foreign keys also delete these users' rows in other tables. */
export const deleteUsers = (db: Db, ids: readonly string[]) =>
  sql`DELETE FROM users WHERE id = ANY(${ids}::uuid[])`.execute(db)

/** Invalidates all cached sessions of these users and of the users they impersonate. Returns the new epochs. */
export async function raiseEpochs(
  db: Db,
  userIds: readonly string[],
  now: Date,
): Promise<{ id: string; session_epoch: number }[]> {
  const { rows } = await sql<{ id: string; session_epoch: number }>`UPDATE users
    SET session_epoch = session_epoch + 1 WHERE id IN (SELECT unnest(${userIds}::uuid[])
      UNION SELECT user_id FROM sessions WHERE impersonated_by = ANY(${userIds}::uuid[]) AND ends_at > ${now}) RETURNING id, session_epoch`.execute(
    db,
  )
  return rows
}

export const setVerified = (db: Db, userId: string, now: Date) =>
  db.updateTable('users').set({ is_verified: true, updated_at: now }).where('id', '=', userId).execute()

export const setPhoneTrusted = (db: Db, userId: string, isTrusted: boolean) =>
  db.updateTable('users').set({ phone_trusted: isTrusted }).where('id', '=', userId).execute()

export const setPasswordHash = (db: Db, userId: string, hash: string) =>
  db.updateTable('users').set({ password_hash: hash }).where('id', '=', userId).execute()

/** Used only when the password changes, not when the same password is rehashed. */
export const replacePassword = (db: Db, userId: string, hash: string | null, now: Date) =>
  db.updateTable('users').set({ password_hash: hash, updated_at: now }).where('id', '=', userId).execute()

/** Returns false if the user has no password. */
export async function removePassword(db: Db, userId: string, now: Date): Promise<boolean> {
  const row = await db
    .updateTable('users')
    .set({ password_hash: null, updated_at: now })
    .where('id', '=', userId)
    .where('password_hash', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the providers of the deleted identities. */
export async function deleteIdentitiesOf(db: Db, userId: string): Promise<string[]> {
  const rows = await db.deleteFrom('social_accounts').where('user_id', '=', userId).returning('provider').execute()
  return rows.map(({ provider }) => provider)
}
