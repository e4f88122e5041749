import type { Config } from './load.ts'
import { builtInRoles } from './staff-permissions.ts'

export const userTypesOf = ({ USER_TYPES }: Pick<Config, 'USER_TYPES'>): readonly string[] => [
  'superadmin',
  'admin',
  'support',
  'customer',
  'writer',
  ...USER_TYPES,
]

/** Reports misspelt user types in the setting `name`, whose users would be unprotected. */
export function unknownTypesIn(
  name: string,
  listed: readonly string[],
  config: Pick<Config, 'USER_TYPES'>,
): string | false {
  const types = userTypesOf(config)
  const unknown = listed.filter((type) => !types.includes(type))
  return (
    unknown.length > 0 && `${name} names ${unknown.join(', ')}: not a user type. The user types are ${types.join(', ')}`
  )
}

/**
 * Whether a setting such as PASSKEY_REQUIRED_FOR applies to users of this type. Roles that superadmins have added are
 * not in settings, so they follow the built-in staff roles.
 */
export const isListed = (config: Pick<Config, 'USER_TYPES'>, listed: readonly string[], userType: string): boolean =>
  listed.includes(userType) ||
  (isStaffType(config, userType) &&
    !builtInRoles.some((role) => role === userType) &&
    builtInRoles.some((role) => listed.includes(role)))

/** Whether users of this type are staff. Unknown types are, so that their sessions are short. They have no permission. */
export const isStaffType = ({ USER_TYPES }: Pick<Config, 'USER_TYPES'>, userType: string): boolean =>
  userType !== 'customer' && userType !== 'writer' && !USER_TYPES.includes(userType)
