import { sql } from 'kysely'
import type { UserRow } from '../context.ts'
import type { Db } from '../db/tables.ts'
import { userColumns } from '../users/columns.ts'
import type { UserReader } from '../users/queries.ts'

export type UserOrDeleted = UserRow & { deleted_at: Date | null }

export async function findUserOrDeleted(ctx: UserReader, id: string): Promise<UserOrDeleted | undefined> {
  const columns = [...userColumns(ctx.modules), 'deleted_at']
  const { rows } = await sql<UserOrDeleted>`
    SELECT ${sql.join(columns.map((column) => sql.ref(column)))} FROM users WHERE id = ${id}`.execute(ctx.db)
  return rows[0]
}

export const markRestored = (db: Db, id: string, now: Date) =>
  db.updateTable('users').set({ deleted_at: null, updated_at: now }).where('id', '=', id).execute()
