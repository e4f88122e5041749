import type { Config } from '../../config/load.ts'
import {
  type BuiltInRole,
  builtInRoles,
  corePermissions,
  type DeclaredPermissions,
  type StaffPermission,
} from '../../config/staff-permissions.ts'
import { isStaffType } from '../../config/user-types.ts'
import type { CustomRole, StaffRoles } from '../../context/staff.ts'

/** `ofModules` are the permissions of all modules, installed or not. */
export function createStaffRoles(
  config: Pick<Config, 'USER_TYPES'>,
  ofModules: readonly DeclaredPermissions[],
  custom: readonly CustomRole[] = [],
): StaffRoles {
  const declared = [corePermissions, ...ofModules].flatMap(
    (permissions) => Object.entries(permissions) as [StaffPermission, BuiltInRole][],
  )
  assertDeclarations(declared)
  const names = new Set<string>(declared.map(([name]) => name))
  const builtIn = builtInRoles.map((role, rank) => {
    const own = declared.filter(([, first]) => builtInRoles.indexOf(first) <= rank)
    return [role, new Set<string>(own.map(([name]) => name))] as const
  })
  // A permission of a module that was removed stays in the row, but opens nothing.
  const added = new Map(custom.map(({ key, permissions }) => [key, new Set(permissions).intersection(names)]))
  const permissionsOf = new Map<string, ReadonlySet<string>>([...added, ...builtIn])
  const none: ReadonlySet<string> = new Set()
  const ofType = (userType: string) => permissionsOf.get(userType) ?? none
  const may: StaffRoles['may'] = (userType, permission) => ofType(userType).has(permission)
  return {
    may,
    // The lists of user types in settings, such as MODERATOR_ROLES, give an added role nothing.
    admits: ({ permission, roles = [] }, userType) =>
      (roles.includes(userType) && !added.has(userType)) || (permission !== undefined && may(userType, permission)),
    covers: (userType, other) =>
      (other !== 'superadmin' || userType === 'superadmin') && ofType(other).isSubsetOf(ofType(userType)),
    typesWith: (permission) => builtInRoles.filter((type) => may(type, permission)),
    isDeclared: (permission) => names.has(permission),
    isStaff: (userType) => isStaffType(config, userType),
    permissionsOf: (userType) => [...(userType === undefined ? names : ofType(userType))],
    customRoles: () => custom,
  }
}

/** A misspelt role or a permission that is declared twice must not give more rights than intended. */
function assertDeclarations(declared: readonly [name: string, first: string][]): void {
  for (const [index, [name, first]] of declared.entries()) {
    if (!builtInRoles.some((role) => role === first))
      throw new Error(`the permission ${name} is given to ${first}, which is not one of ${builtInRoles.join(', ')}`)
    if (declared.findIndex(([other]) => other === name) !== index)
      throw new Error(`the permission ${name} is declared twice`)
  }
}
