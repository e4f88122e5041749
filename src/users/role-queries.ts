import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'

/** The application roles of a user, including those of disabled and deleted applications. */
export const findRolesOf = (db: Db, userId: string) =>
  db
    .selectFrom('user_roles')
    .innerJoin('roles', 'roles.id', 'user_roles.role_id')
    .innerJoin('applications', 'applications.id', 'roles.application_id')
    .select(['applications.key as application', 'roles.id', 'roles.key', 'roles.name', 'roles.permissions'])
    .select(['user_roles.granted_by', 'user_roles.granted_at', 'user_roles.until'])
    .where('user_roles.user_id', '=', userId)
    .orderBy('applications.key')
    .orderBy('roles.key')
    .execute()

/** A role of an application that is not deleted. */
export const findApplicationRole = (db: Db, application: string, role: string) =>
  db
    .selectFrom('roles')
    .innerJoin('applications', 'applications.id', 'roles.application_id')
    .select(['roles.id', 'roles.is_default'])
    .where('applications.key', '=', application)
    .where('applications.deleted_at', 'is', null)
    .where('roles.key', '=', role)
    .executeTakeFirst()

export interface NamedGrant {
  user_id: string
  /** Such as `billing:accountant`. */
  role: string
  until: Date | null
}

/** The roles that the users were given and that have not ended, without those of deleted applications. */
export async function findGrantsOf(db: Db, userIds: readonly string[], now: Date): Promise<NamedGrant[]> {
  const { rows } = await sql<NamedGrant>`SELECT g.user_id, a.key || ':' || r.key AS role, g.until
    FROM user_roles g JOIN roles r ON r.id = g.role_id
      JOIN applications a ON a.id = r.application_id AND a.deleted_at IS NULL
    WHERE g.user_id = ANY (${[...userIds]}::uuid[]) AND (g.until IS NULL OR g.until > ${now})
    ORDER BY g.user_id, role`.execute(db)
  return rows
}
