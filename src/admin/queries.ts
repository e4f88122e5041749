import { sql } from 'kysely'
import type { UserRow } from '../context.ts'
import type { Db } from '../db/tables.ts'
import { isConfirmedSession } from '../sessions/partial-queries.ts'
import { userColumns } from '../users/columns.ts'
import type { UserReader } from '../users/queries.ts'

export type UserOrDeleted = UserRow & { deleted_at: Date | null }

export async function findUserOrDeleted(ctx: UserReader, id: string): Promise<UserOrDeleted | undefined> {
  const columns = [...userColumns(ctx.modules), 'deleted_at']
  const { rows } = await sql<UserOrDeleted>`
    SELECT ${sql.join(columns.map((column) => sql.ref(column)))} FROM users WHERE id = ${id}`.execute(ctx.db)
  return rows[0]
}

/** Sessions with a pending second factor do not count until they are confirmed. Application sessions never count. */
export async function findLastSignIn(db: Db, userId: string): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`SELECT greatest(
    (SELECT max(time) FROM audit_events WHERE actor_id = ${userId} AND event = 'login_success'),
    (SELECT max(started_at) FROM sessions
      WHERE user_id = ${userId} AND parent_id IS NULL AND ${isConfirmedSession})) AS at`.execute(db)
  return rows[0]?.at ?? undefined
}

export const markRestored = (db: Db, id: string, now: Date) =>
  db.updateTable('users').set({ deleted_at: null, updated_at: now }).where('id', '=', id).execute()
