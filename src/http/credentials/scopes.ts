import { type StaffPermission, sensitivePermissions } from '../../config/staff-permissions.ts'
import type { Context, CredentialView } from '../../context.ts'

/** Scopes of this service's own API begin with this. Permissions of applications never do. */
export const ownPrefix = 'wardenry:'

/** What users may do with their own data. */
export const profileScopes = ['wardenry:profile:read', 'wardenry:profile:write'] as const

export type OwnScope = (typeof profileScopes)[number] | `wardenry:${StaffPermission}`

type StaffContext = Pick<Context, 'staff'>

/** The staff permission in a scope, if keys can have it: those that are sensitive are for signed-in users only. */
export function permissionInScope({ staff }: StaffContext, scope: string): StaffPermission | undefined {
  const permission = scope.startsWith(ownPrefix) ? scope.slice(ownPrefix.length) : ''
  return staff.isDeclared(permission) && !sensitivePermissions.includes(permission)
    ? (permission as StaffPermission)
    : undefined
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
 * The scopes that a credential has at present: those of a user's key only as far as the user has the right now. Unknown
 * scopes are left out.
 */
export const effectiveScopes = (ctx: StaffContext, { user, scopes }: CredentialView): string[] =>
  scopes.filter((scope) => {
    if (isProfileScope(scope)) return user !== null
    const permission = permissionInScope(ctx, scope)
    if (permission === undefined) return false
    return user === null || ctx.staff.may(user.user_type, permission)
  })
