import { type Selectable, sql } from 'kysely'
import { violatedIndex } from '../db/errors.ts'
import type { EmailChangeStatus } from '../db/rows/users.ts'
import type { Db, Tables } from '../db/tables.ts'

export type EmailChange = Selectable<Tables['email_changes']>

export type AddressRole = 'current' | 'new'

const columns = [
  'id',
  'user_id',
  'session_id',
  'old_email',
  'new_email',
  'status',
  'current_confirmed_at',
  'new_confirmed_at',
  'created_at',
  'expires_at',
  'ended_at',
  'notice_id',
] as const

type NewChange = Pick<
  EmailChange,
  'id' | 'user_id' | 'session_id' | 'old_email' | 'new_email' | 'created_at' | 'expires_at' | 'notice_id'
>

export const insertChange = (db: Db, row: NewChange) => db.insertInto('email_changes').values(row).execute()

/** A change is pending while its cancel link is valid. A new password invalidates the link and ends the change. */
export const findPendingChange = (db: Db, userId: string, now: Date): Promise<EmailChange | undefined> =>
  db
    .selectFrom('email_changes')
    .select(columns)
    .where('user_id', '=', userId)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .where(isCancellable)
    .executeTakeFirst()

const isCancellable = sql<boolean>`EXISTS (
  SELECT FROM one_time_secrets s WHERE s.user_id = email_changes.user_id AND s.purpose = 'email_change_cancel'
    AND s.target = email_changes.id::text AND s.used_at IS NULL)`

/** Other ends mean that somebody has ended the session, in which the change was requested, because they distrust it. */
const harmlessEnds = ['logout', 'replaced', 'limit']

/** After a late delivery, for example of a message that was sent again, the owner would have little time to cancel. */
const isToldInTime = sql<boolean>`EXISTS (SELECT FROM outbox o
  WHERE o.id = notice_id AND o.status = 'sent' AND o.done_at <= email_changes.created_at + interval '1 day')`

const isDue = (now: Date) => sql<boolean>`(
  status = 'pending' AND expires_at <= ${now} AND new_confirmed_at IS NOT NULL AND ${isToldInTime} AND ${isCancellable}
    AND NOT EXISTS (SELECT FROM sessions WHERE id = session_id AND end_reason NOT IN (${sql.join(harmlessEnds)})))`

/** Changes that only the new address has confirmed, and that take effect without the current one. */
export const listDueChanges = (db: Db, now: Date, limit: number) =>
  db
    .selectFrom('email_changes')
    .select(['id', 'user_id'])
    .where(isDue(now))
    .orderBy('expires_at')
    .limit(limit)
    .execute()

/** The caller has locked the user. */
export const findDueChange = (db: Db, id: string, now: Date): Promise<EmailChange | undefined> =>
  db.selectFrom('email_changes').select(columns).where('id', '=', id).where(isDue(now)).executeTakeFirst()

export const findPendingChangeById = (db: Db, id: string): Promise<EmailChange | undefined> =>
  db.selectFrom('email_changes').select(columns).where('id', '=', id).where('status', '=', 'pending').executeTakeFirst()

/** Includes deleted users that have not been erased. */
export const findOwnerOf = (db: Db, email: string) =>
  db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'is_verified', 'lang', 'deleted_at'])
    .where('email', '=', email)
    .executeTakeFirst()

export const confirmAddress = (db: Db, id: string, half: AddressRole, now: Date): Promise<EmailChange | undefined> => {
  const column = `${half}_confirmed_at` as const
  return db
    .updateTable('email_changes')
    .set({ [column]: now })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .where(column, 'is', null)
    .returning(columns)
    .executeTakeFirst()
}

export const endChange = (db: Db, id: string, status: EmailChangeStatus, now: Date): Promise<EmailChange | undefined> =>
  db
    .updateTable('email_changes')
    .set({ status, ended_at: now })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returning(columns)
    .executeTakeFirst()

export const replacePendingChange = (db: Db, userId: string, now: Date) =>
  db
    .updateTable('email_changes')
    .set({
      status: sql<EmailChangeStatus>`CASE WHEN expires_at > ${now} THEN 'replaced' ELSE 'expired' END`,
      ended_at: now,
    })
    .where('user_id', '=', userId)
    .where('status', '=', 'pending')
    .returning(['id', 'status'])
    .executeTakeFirst()

export async function expirePendingChanges(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ id: string; user_id: string }[]> {
  const { rows } = await sql<{ id: string; user_id: string }>`
    UPDATE email_changes SET status = 'expired', ended_at = ${now} WHERE id IN (
      SELECT id FROM email_changes WHERE status = 'pending' AND expires_at <= ${now} AND NOT ${isDue(now)}
      ORDER BY expires_at LIMIT ${limit}
      FOR UPDATE SKIP LOCKED)
    RETURNING id, user_id`.execute(db)
  return rows
}

export async function deleteEndedChanges(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM email_changes WHERE id IN (
    SELECT id FROM email_changes WHERE ended_at < ${before} LIMIT ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

/**
 * The unique index decides whether the email address is taken. A savepoint keeps the transaction usable after a unique
 * violation.
 */
export async function replaceEmail(db: Db, userId: string, email: string, now: Date): Promise<boolean> {
  await sql`SAVEPOINT replace_email`.execute(db)
  try {
    await db.updateTable('users').set({ email, is_verified: true, updated_at: now }).where('id', '=', userId).execute()
    return true
  } catch (error) {
    if (violatedIndex(error) !== 'users_email_key') throw error
    await sql`ROLLBACK TO SAVEPOINT replace_email`.execute(db)
    return false
  }
}
