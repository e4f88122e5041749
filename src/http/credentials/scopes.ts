import { permissionsWithoutScope, type StaffPermission, sensitivePermissions } from '../../config/staff-permissions.ts'
import type { CredentialView, RoleSet, StaffRoles } from '../../context.ts'

/** Scopes of this service's own API begin with this. Permissions of applications never do. */
export const ownPrefix = 'wardenry:'

export const readProfileScope = 'wardenry:profile:read'

/** What users may do with their own data. */
export const profileScopes = [readProfileScope, 'wardenry:profile:write'] as const

export type OwnScope = (typeof profileScopes)[number] | `wardenry:${StaffPermission}`

interface StaffContext {
  staff: StaffRoles
}

/** The staff permission in a scope, if keys can have it: those that are sensitive or have no effect cannot be scopes. */
export function permissionInScope({ staff }: StaffContext, scope: string): StaffPermission | undefined {
  const permission = scope.startsWith(ownPrefix) ? scope.slice(ownPrefix.length) : ''
  const isExcluded = sensitivePermissions.includes(permission) || permissionsWithoutScope.includes(permission)
  return staff.isDeclared(permission) && !isExcluded ? (permission as StaffPermission) : undefined
}

const isProfileScope = (scope: string): boolean => profileScopes.some((known) => known === scope)

/** The scopes for keys of this user that the service itself knows. */
export const ownScopesOf = (ctx: StaffContext, user: { user_type: string }): string[] => [
  ...profileScopes,
  ...ctx.staff
    .permissionsOf(user.user_type)
    .map((permission) => ownPrefix + permission)
    .filter((scope) => permissionInScope(ctx, scope) !== undefined)
    .sort(),
]

/**
 * The scopes that a credential has at present: those of a user's key only as far as the user has the right now, and
 * permissions of applications only while their application declares them. With the id of an application, only its
 * permissions are contained, as its back ends see them.
 */
export function effectiveScopes(
  ctx: StaffContext,
  { user, scopes, grants }: Pick<CredentialView, 'user' | 'scopes' | 'grants'>,
  { roles, applicationId }: RolesForBackEnd,
): string[] {
  const ofUser = user ? roles.of(grants.ids, applicationId) : undefined
  return scopes.filter((scope) => {
    if (isProfileScope(scope)) return user !== null
    if (!scope.startsWith(ownPrefix)) {
      const application = roles.applicationOf(scope)
      if (application === undefined || (applicationId !== undefined && application !== applicationId)) return false
      return user ? ofUser?.has(scope) === true : true
    }
    const permission = permissionInScope(ctx, scope)
    if (permission === undefined) return false
    return user === null || ctx.staff.may(user.user_type, permission)
  })
}

export interface RolesForBackEnd {
  roles: RoleSet
  /** The application whose bridge secret was sent. Undefined: all applications. */
  applicationId: string | undefined
}
