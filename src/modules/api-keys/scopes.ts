import type { StaffRoles } from '../../context.ts'
import { isSuperadmin } from '../../http/access/permissions.ts'
import { ownPrefix, ownScopesOf, permissionInScope } from '../../http/credentials/scopes.ts'
import { AppError, invalidField } from '../../lib/errors.ts'

export const maxScopes = 200

/** All that a service account can have. */
export const accountScopes = (staff: StaffRoles): string[] => staffScopesIn(staff, staff.permissionsOf())

/** Also decides at each use of a personal key what the user may do now. */
export const userScopes = (staff: StaffRoles, user: { user_type: string }): string[] =>
  ownScopesOf({ staff }, user).toSorted()

/** The scopes that this member of staff may give to service accounts. */
export const givableScopes = (staff: StaffRoles, actor: { user_type: string }): string[] =>
  isSuperadmin(actor) ? accountScopes(staff) : staffScopesIn(staff, staff.permissionsOf(actor.user_type))

const staffScopesIn = (staff: StaffRoles, permissions: readonly string[]): string[] =>
  permissions
    .map((permission) => ownPrefix + permission)
    .filter((scope) => permissionInScope({ staff }, scope) !== undefined)
    .toSorted()

/** Throws KEY_SCOPE_NOT_ALLOWED, also for scopes that do not exist. */
export function assertScopes(allowed: readonly string[], scopes: readonly string[]): void {
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
