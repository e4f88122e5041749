import Type from 'typebox'
import { done, field, form_token } from '../../../ui/console/schemas.ts'
import { permissionField } from './permission-fields.ts'

const params = Type.Object({ role_id: Type.String({ maxLength: 100 }) })

export const RolesPageRoute = { summary: 'Staff roles page', querystring: Type.Object({ done }) }
export const NewRolePageRoute = { summary: 'Page for adding a staff role', querystring: Type.Object({ done }) }
export const RolePageRoute = { summary: 'Page of a staff role', params, querystring: Type.Object({ done }) }
export const DeleteRolePageRoute = {
  summary: 'Page for deleting a staff role',
  params,
  querystring: Type.Object({ done }),
}
export const DeleteRoleFormRoute = { summary: 'Delete a staff role', params, body: Type.Object({ form_token }) }

export const PermissionsPageRoute = {
  summary: 'Page of the permissions that applications have declared',
  querystring: Type.Object({ done }),
}
export const MovePermissionFormRoute = {
  summary: 'Move a permission to another application',
  body: Type.Object({ permission: field, application: field, form_token }),
}

/** The forms have a checkbox for each permission. */
export function roleFormRoutes(permissions: readonly string[]) {
  const boxes = Object.fromEntries(permissions.map((permission) => [permissionField(permission), field]))
  const typed = { name: field, description: field, form_token, ...boxes }
  return {
    create: { summary: 'Add a staff role', body: Type.Object({ ...typed, key: field }) },
    update: { summary: 'Change a staff role', params, body: Type.Object({ ...typed, expected_updated_at: field }) },
  }
}
