import type { Context } from '../../context.ts'
import { adminTextsFor } from './texts/index.ts'

/** Returns a role's display name. Roles from USER_TYPES are shown unchanged. */
export function roleName(lang: string, role: string): string {
  const { names } = adminTextsFor(lang).roles
  return Object.hasOwn(names, role) ? names[role as keyof typeof names] : role
}

/** Returns a sentence describing the role's rights. */
export function roleRights(lang: string, role: string): string {
  const { rights } = adminTextsFor(lang).roles
  return Object.hasOwn(rights, role) ? rights[role as keyof typeof rights] : rights.other
}

/** The roles with their names and rights, for a list of choices and the text that explains the choices. */
export const describedRoles = (lang: string, roles: readonly string[]) =>
  roles.map((value) => ({ value, label: roleName(lang, value), rights: roleRights(lang, value) }))

const coreRoles = ['customer', 'writer', 'support', 'admin', 'superadmin']

export const knownRoles = ({ config, staff }: Pick<Context, 'config' | 'staff'>): string[] => [
  ...new Set([...coreRoles, ...config.USER_TYPES, ...staff.customRoles().map(({ key }) => key)]),
]
