import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Tables } from '../db/tables.ts'

export type RoleRow = Selectable<Tables['roles']>

export const findStaffRoles = (db: Db): Promise<RoleRow[]> =>
  db.selectFrom('roles').selectAll().where('kind', '=', 'staff').orderBy('key').execute()

export const lockRole = (db: Db, id: string): Promise<RoleRow | undefined> =>
  db.selectFrom('roles').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Until the end of the transaction, the role can be neither changed nor deleted. */
export const holdStaffRole = (db: Db, key: string) =>
  db.selectFrom('roles').select('id').where('kind', '=', 'staff').where('key', '=', key).forShare().execute()

/** The users as whom users with this role act. */
export async function findImpersonatedBy(db: Db, key: string): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`SELECT DISTINCT s.user_id FROM sessions s
    JOIN users u ON u.id = s.impersonated_by WHERE u.user_type = ${key} AND s.status IN ('pending', 'active')`.execute(
    db,
  )
  return rows.map(({ user_id }) => user_id)
}

export const insertRole = (db: Db, row: Insertable<Tables['roles']>) => db.insertInto('roles').values(row).execute()

export const updateRole = (db: Db, id: string, changes: Updateable<Tables['roles']>) =>
  db.updateTable('roles').set(changes).where('id', '=', id).execute()

export const removeRole = (db: Db, id: string) => db.deleteFrom('roles').where('id', '=', id).execute()

/** Deleted users count as well, because they can be restored. */
export async function countUsersByType(db: Db, types: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ type: string; users: number }>`SELECT user_type AS type, count(*)::int AS users
    FROM users WHERE user_type = ANY(${types}::text[]) GROUP BY user_type`.execute(db)
  return new Map(rows.map(({ type, users }) => [type, users]))
}
