import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { permissionWords, roleName } from '../../../../ui/console/roles.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fillPlural } from '../../../../ui/texts/index.ts'
import type { ApplicationRoleEntry } from '../../users/user/read-user.ts'
import { type ListedRole, newRolePath, permissionsPath, rolePath, usersWithRole } from '../paths.ts'
import { capitalized } from '../permission-fields.ts'
import { applicationRoleGroups } from './application-roles.ts'

export interface RolesPage {
  area: AdminArea
  roles: readonly ListedRole[]
  applicationRoles: readonly ApplicationRoleEntry[]
  /** Whether the API would let the viewer change the role. */
  mayEdit(role: ListedRole): boolean
  /** Whether the viewer may open the page of the permissions of applications. */
  maySeePermissions: boolean
  done?: string | undefined
}

export function rolesPage(data: RolesPage, page: PageContext): string {
  const { area, roles, applicationRoles, mayEdit, done } = data
  const { lang } = page
  const { staffRoles: texts, applicationPermissions } = adminTextsFor(lang)
  return renderAdminLayout(
    area,
    {
      template: new URL('./roles.eta', import.meta.url),
      title: texts.title,
      lead: texts.lead,
      action: { path: newRolePath, label: texts.add, icon: 'add' },
      done: done === 'deleted' ? texts.done.deleted : undefined,
      data: {
        permissions: data.maySeePermissions
          ? { path: permissionsPath, label: applicationPermissions.title }
          : undefined,
        builtIn: texts.builtIn,
        ofApplications: applicationRoleGroups(applicationRoles, lang),
        rows: roles.map((role) => ({
          name: role.built_in ? roleName(lang, role.key, area.roles) : role.name,
          key: role.key,
          isBuiltIn: role.built_in,
          path: role.id !== null && mayEdit(role) ? rolePath(role.id) : undefined,
          description: role.description,
          users: fillPlural(lang, texts.users, role.users),
          usersPath: usersWithRole(role.key),
          summary: fillPlural(lang, texts.permissionCount, role.permissions.length),
          permissions: role.permissions.map((one) => capitalized(permissionWords(lang, one, area.roles))),
        })),
      },
    },
    page,
  )
}
