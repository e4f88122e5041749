import { builtInRoles, sensitivePermissions } from '../config/staff-permissions.ts'
import type { Context } from '../context.ts'
import { iso } from '../lib/time.ts'
import { countUsersByType, findStaffRoles, type RoleRow } from './queries.ts'

/** Built-in roles have no id, because they cannot be changed. */
export async function listRoles({ db, staff }: Context) {
  const rows = await findStaffRoles(db)
  const users = await countUsersByType(db, [...builtInRoles, ...rows.map(({ key }) => key)])
  const usersOf = (key: string) => users.get(key) ?? 0
  const builtIn = builtInRoles.map((key) => ({
    ...{ id: null, key, name: key, description: '', built_in: true },
    permissions: staff.permissionsOf(key).toSorted(),
    users: usersOf(key),
    ...{ created_at: null, updated_at: null },
  }))
  return {
    roles: [...builtIn, ...rows.map((row) => ({ ...shown(row), users: usersOf(row.key) }))],
    permissions: staff
      .permissionsOf()
      .toSorted()
      .map((key) => ({ key, sensitive: sensitivePermissions.includes(key) })),
  }
}

const shown = (row: RoleRow) => ({
  id: row.id,
  key: row.key,
  name: row.name,
  description: row.description,
  built_in: false,
  permissions: row.permissions,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
})
