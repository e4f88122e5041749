import { sql } from 'kysely'
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
        FROM permissions p WHERE p.retired_at IS NULL) AS permissions
    FROM role_version`.execute(db)
  return rows[0] ?? { version: 0, roles: [], permissions: [] }
}

export async function findRoleVersion(db: Db): Promise<number> {
  const { version } = await db.selectFrom('role_version').select('version').executeTakeFirstOrThrow()
  return Number(version)
}

export const findRoleEpochs = (db: Db, applicationId: string) =>
  db.selectFrom('roles').select(['id', 'key', 'epoch']).where('application_id', '=', applicationId).execute()
