import { sensitivePermissions } from '../../config/staff-permissions.ts'
import type { StaffRoles } from '../../context.ts'
import { isSuperadmin } from '../../http/access/permissions.ts'
import { AppError, invalidField } from '../../lib/errors.ts'

export const maxScopes = 200

/** Scopes for a user's own profile, which every user has and no service account. */
export const profileScopes = ['wardenry:profile:read', 'wardenry:profile:write'] as const

const own = 'wardenry:'

const scopesFor = (permissions: readonly string[]): string[] =>
  permissions.filter((name) => !sensitivePermissions.includes(name)).map((name) => own + name)

/** All that a service account can have. */
export const accountScopes = (staff: StaffRoles): string[] => scopesFor(staff.permissionsOf()).toSorted()

/** Also decides at each use of a personal key what the user may do now. */
export const userScopes = (staff: StaffRoles, { user_type }: { user_type: string }): string[] =>
  [...profileScopes, ...scopesFor(staff.permissionsOf(user_type))].toSorted()

/** The scopes that this member of staff may give to service accounts. */
export const givableScopes = (staff: StaffRoles, actor: { user_type: string }): string[] =>
  isSuperadmin(actor) ? accountScopes(staff) : scopesFor(staff.permissionsOf(actor.user_type)).toSorted()

/** Throws KEY_SCOPE_NOT_ALLOWED, also for scopes that do not exist. */
export function assertAllowed(allowed: readonly string[], scopes: readonly string[]): void {
  const refused = scopes.filter((scope) => !allowed.includes(scope))
  if (refused.length === 0) return
  const names = refused.slice(0, 10).join(', ')
  throw new AppError('KEY_SCOPE_NOT_ALLOWED', { sentence: `A key that you create cannot have the scope ${names}` })
}

export function readScopes(given: readonly string[]): string[] {
  const scopes = [...new Set(given)].toSorted()
  if (scopes.length === 0) throw invalidField('scopes', 'must not be empty')
  if (scopes.length > maxScopes) throw invalidField('scopes', `must not have more than ${maxScopes} scopes`)
  const wrong = scopes.find((scope) => !/^[a-z][a-z0-9_-]*(:[a-z0-9_-]+){1,3}$/.test(scope) || scope.length > 80)
  if (wrong !== undefined) throw invalidField('scopes', 'must contain scopes such as wardenry:profile:read')
  return scopes
}
