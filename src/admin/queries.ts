import { sql } from 'kysely'
import type { UserRow } from '../context.ts'
import type { Db } from '../db/tables.ts'

export type UserOrDeleted = UserRow & { deleted_at: Date | null }

/** Also a deleted user, as long as it has not been erased. */
export async function findUserOrDeleted(
  db: Db,
  columns: readonly string[],
  id: string,
): Promise<UserOrDeleted | undefined> {
  const { rows } = await sql<UserOrDeleted>`
    SELECT ${sql.join([...columns, 'deleted_at'].map((column) => sql.ref(column)))} FROM users WHERE id = ${id}`.execute(
    db,
  )
  return rows[0]
}

export const markRestored = (db: Db, id: string, now: Date) =>
  db.updateTable('users').set({ deleted_at: null, updated_at: now }).where('id', '=', id).execute()
