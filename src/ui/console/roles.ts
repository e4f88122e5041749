import type { Context } from '../../context.ts'
import { fill } from '../texts/index.ts'
import { type AdminTexts, adminTextsFor } from './texts/index.ts'

/** The roles that superadmins have added, and the permissions of the service in words. */
export interface RolesInWords {
  added: readonly { key: string; name: string; permissions: readonly string[] }[]
  ofModules(lang: string): Readonly<Record<string, string>>
}

export const rolesInWords = ({ staff, modules }: Context): RolesInWords => ({
  added: staff.customRoles().map(({ key, name }) => {
    const own = staff.permissionsOf(key)
    return { key, name, permissions: staff.permissionsOf().filter((permission) => own.includes(permission)) }
  }),
  ofModules: (lang) => modules.permissionWords(lang),
})

/** Returns a role's display name, with its key if others have the name. Roles from USER_TYPES are shown unchanged. */
export function roleName(lang: string, role: string, { added }: RolesInWords): string {
  const { names } = adminTextsFor(lang).roles
  if (Object.hasOwn(names, role)) return names[role as keyof typeof names]
  const name = added.find(({ key }) => key === role)?.name
  if (name === undefined) return role
  const others = [...Object.values(names), ...added.filter(({ key }) => key !== role).map((other) => other.name)]
  return others.includes(name) ? `${name} (${role})` : name
}

/** Returns a sentence describing the role's rights. */
export function roleRights(lang: string, role: string, roles: RolesInWords): string {
  const { rights } = adminTextsFor(lang).roles
  const added = roles.added.find(({ key }) => key === role)
  if (added) return permissionList(lang, added.permissions, roles)
  return Object.hasOwn(rights, role) ? rights[role as keyof AdminTexts['roles']['rights']] : rights.other
}

/** The permissions as one sentence. */
export function permissionList(lang: string, permissions: readonly string[], roles: RolesInWords): string {
  const { roles: texts } = adminTextsFor(lang)
  if (permissions.length === 0) return texts.noPermissions
  return fill(texts.can, { permissions: permissions.map((one) => permissionWords(lang, one, roles)).join('; ') })
}

/** A permission without words is shown as its key. */
export function permissionWords(lang: string, permission: string, { ofModules }: RolesInWords): string {
  const words: Readonly<Record<string, string>> = { ...ofModules(lang), ...adminTextsFor(lang).roles.permissions }
  return Object.hasOwn(words, permission) ? (words[permission] ?? permission) : permission
}

/** The roles with their names and rights, for a list of choices and the text that explains the choices. */
export const describedRoles = (lang: string, keys: readonly string[], roles: RolesInWords) =>
  keys.map((value) => ({ value, label: roleName(lang, value, roles), rights: roleRights(lang, value, roles) }))

const coreRoles = ['customer', 'writer', 'support', 'admin', 'superadmin']

export const knownRoles = ({ config, staff }: Pick<Context, 'config' | 'staff'>): string[] => [
  ...new Set([...coreRoles, ...config.USER_TYPES, ...staff.customRoles().map(({ key }) => key)]),
]
