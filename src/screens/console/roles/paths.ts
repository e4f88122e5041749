import type { ListRolesRoute } from '../../../roles/schemas.ts'
import { addressOf } from '../../../ui/console/pager.ts'
import type { ResponseOf } from '../../../ui/shared/api-route.ts'
import { usersPath } from '../users/shared.ts'

export const rolesPath = '/admin/roles'
export const newRolePath = `${rolesPath}/new`
export const rolePath = (id: string): string => `${rolesPath}/${encodeURIComponent(id)}`
export const permissionsPath = `${rolesPath}/permissions`
export const deleteRolePath = (id: string): string => `${rolePath(id)}/delete`

export const usersWithRole = (key: string, deleted?: 'true'): string => addressOf(usersPath, { role: key, deleted })

export const usersWithApplicationRole = (name: string): string => addressOf(usersPath, { application_role: name })

/** A role in the API's responses. */
export type ListedRole = ResponseOf<typeof ListRolesRoute>['data']['roles'][number]

/** Built-in roles have no id and no page. */
export type EditableRole = ListedRole & { id: string }

export type TypedRole = Readonly<Record<string, string | undefined>>
