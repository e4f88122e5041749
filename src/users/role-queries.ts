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
