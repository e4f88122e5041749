import { sql } from 'kysely'
import type { TextByLanguage } from '../db/rows/roles.ts'
import type { Db } from '../db/tables.ts'
import type { StoredPermission, StoredRole } from './expand-permissions.ts'

interface StoredRoles {
  version: number
  roles: readonly StoredRole[]
  permissions: readonly StoredPermission[]
}

/** One statement, so that the version, the roles and the permissions belong together. */
export async function findStoredRoles(db: Db): Promise<StoredRoles> {
  const { rows } = await sql<StoredRoles>`SELECT version::float8 AS version,
      (SELECT coalesce(json_agg(json_build_object('id', r.id, 'key', r.key, 'applicationId', a.id, 'application', a.key,
        'isDefault', r.is_default, 'permissions', r.permissions) ORDER BY a.key, r.key), '[]')
        FROM roles r JOIN applications a ON a.id = r.application_id AND a.is_enabled AND a.deleted_at IS NULL) AS roles,
      (SELECT coalesce(json_agg(json_build_object('key', p.key, 'applicationId', p.application_id,
        'sensitive', p.sensitive) ORDER BY p.key), '[]')
        FROM permissions p JOIN applications a ON a.id = p.application_id AND a.is_enabled AND a.deleted_at IS NULL
        WHERE p.retired_at IS NULL) AS permissions
    FROM role_version`.execute(db)
  return rows[0] ?? { version: 0, roles: [], permissions: [] }
}

export interface ListedRoleRow extends StoredRole {
  name: string
  description: string
  users: number
}

export interface TitledPermission extends StoredPermission {
  title: TextByLanguage
}

interface ListedRoles {
  roles: readonly ListedRoleRow[]
  permissions: readonly TitledPermission[]
}

/** The roles of applications that are enabled, with the number of users who were given them. */
export async function findListedRoles(db: Db, now: Date): Promise<ListedRoles> {
  const { rows } = await sql<ListedRoles>`SELECT
      (SELECT coalesce(json_agg(json_build_object('id', r.id, 'key', r.key, 'applicationId', a.id, 'application', a.key,
        'isDefault', r.is_default, 'permissions', r.permissions, 'name', r.name, 'description', r.description,
        'users', (SELECT count(*)::int FROM user_roles g JOIN users u ON u.id = g.user_id AND u.deleted_at IS NULL
          WHERE g.role_id = r.id AND (g.until IS NULL OR g.until > ${now}))) ORDER BY a.key, r.key), '[]')
        FROM roles r JOIN applications a ON a.id = r.application_id AND a.is_enabled AND a.deleted_at IS NULL) AS roles,
      (SELECT coalesce(json_agg(json_build_object('key', p.key, 'applicationId', p.application_id,
        'sensitive', p.sensitive, 'title', p.title) ORDER BY p.key), '[]')
        FROM permissions p WHERE p.retired_at IS NULL) AS permissions`.execute(db)
  return rows[0] ?? { roles: [], permissions: [] }
}

export async function findRoleVersion(db: Db): Promise<number> {
  const { version } = await db.selectFrom('role_version').select('version').executeTakeFirstOrThrow()
  return Number(version)
}

export const findRoleEpochs = (db: Db, applicationId: string) =>
  db.selectFrom('roles').select(['id', 'key', 'epoch']).where('application_id', '=', applicationId).execute()
