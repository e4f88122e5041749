import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import { fillPlural, type PageLanguage } from '../../../../ui/texts/index.ts'
import type { ApplicationRoleEntry } from '../../users/user/read-user.ts'
import { rolePermissions } from '../../users/user/role-panel.ts'
import { usersWithApplicationRole } from '../paths.ts'

/** The roles that applications have declared, by application. */
export function applicationRoleGroups(roles: readonly ApplicationRoleEntry[], lang: PageLanguage) {
  const { applicationRoles: texts, staffRoles } = adminTextsFor(lang)
  return [...Map.groupBy(roles, ({ application }) => application)].map(([application, own]) => ({
    title: application,
    rows: own.map((role) => ({
      name: role.name,
      key: role.role,
      description: role.description,
      usersPath: role.default ? undefined : usersWithApplicationRole(`${application}:${role.role}`),
      users: role.default ? texts.everybody : fillPlural(lang, staffRoles.users, role.users),
      summary: fillPlural(lang, staffRoles.permissionCount, role.permissions.length),
      permissions: rolePermissions(lang, role),
    })),
  }))
}
