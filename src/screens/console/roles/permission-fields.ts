import { sensitivePermissions } from '../../../config/staff-permissions.ts'
import { permissionWords, type RolesInWords } from '../../../ui/console/roles.ts'
import { type AdminTexts, adminTextsFor } from '../../../ui/console/texts/index.ts'

/** The name of the checkbox for a permission. */
export const permissionField = (permission: string): string => `can_${permission}`

export const isSensitive = (permission: string): boolean => sensitivePermissions.includes(permission)

type Area = keyof AdminTexts['shared']['entries']

const areas: readonly Area[] = [
  'overview',
  'people',
  'roles',
  'audit',
  'security',
  'messages',
  'applications',
  'webhooks',
  'settings',
  'modules',
]

/** The page of the console for permissions whose names begin with another word than the page. */
const pageOf: Readonly<Record<string, Area>> = { users: 'people', events: 'audit', templates: 'messages' }

/** Permissions of modules are shown together. */
function areaOf(permission: string): Area {
  const [word = ''] = permission.split(':')
  return pageOf[word] ?? areas.find((area) => area === word) ?? 'modules'
}

export interface PermissionGroup {
  label: string
  options: { name: string; label: string; isOn: boolean; isSensitive: boolean }[]
}

interface Choice {
  offered: readonly string[]
  isOn(permission: string): boolean
}

/** The checkboxes by page of the console, in the order of the navigation. */
export function permissionGroups(lang: string, { offered, isOn }: Choice, roles: RolesInWords): PermissionGroup[] {
  const { entries } = adminTextsFor(lang).shared
  return areas
    .map((area) => ({
      label: entries[area],
      options: offered
        .filter((permission) => areaOf(permission) === area)
        .map((permission) => ({
          name: permissionField(permission),
          label: capitalized(permissionWords(lang, permission, roles)),
          isOn: isOn(permission),
          isSensitive: isSensitive(permission),
        })),
    }))
    .filter(({ options }) => options.length > 0)
}

export const capitalized = (text: string): string => text.replace(/^./u, (letter) => letter.toUpperCase())
