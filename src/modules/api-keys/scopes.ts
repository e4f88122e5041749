import type { Context, StaffRoles } from '../../context.ts'
import { isSuperadmin } from '../../http/access/permissions.ts'
import { ownPrefix, ownScopesOf, permissionInScope } from '../../http/credentials/scopes.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { findStoredRoles } from '../../roles/application-queries.ts'
import { createRoleSet } from '../../roles/role-set.ts'
import { findGrants } from '../../users/grant-queries.ts'

export const maxScopes = 200

type ScopeContext = Pick<Context, 'db' | 'clock' | 'staff'>

interface ScopeUser {
  /** Null for an operator on the command line. */
  id: string | null
  user_type: string
}

/** The scopes that this user can give to a personal key: what they may do now. */
export async function userScopes(ctx: ScopeContext, user: ScopeUser): Promise<string[]> {
  return [...ownScopesOf(ctx, user), ...(await applicationScopes(ctx, user, 'own'))].toSorted()
}

/** The scopes that this member of staff may give to service accounts. */
export async function givableScopes(ctx: ScopeContext, actor: ScopeUser): Promise<string[]> {
  const { staff } = ctx
  const permissions = isSuperadmin(actor) ? staff.permissionsOf() : staff.permissionsOf(actor.user_type)
  const ofApplications = await applicationScopes(ctx, actor, isSuperadmin(actor) ? 'all' : 'own')
  return [...staffScopesIn(staff, permissions), ...ofApplications].toSorted()
}

/** Permissions that applications declare and have not retired. Only superadmins can give sensitive ones. */
async function applicationScopes(
  { db, clock }: ScopeContext,
  user: ScopeUser,
  which: 'own' | 'all',
): Promise<string[]> {
  const { version, roles, permissions } = await findStoredRoles(db)
  const offered = permissions.filter(({ sensitive }) => !sensitive || isSuperadmin(user)).map(({ key }) => key)
  if (which === 'all') return offered
  if (user.id === null || roles.length === 0) return []
  const { ids } = await findGrants(db, user.id, clock.now())
  const own = createRoleSet(version, roles, permissions).of(ids)
  return offered.filter((key) => own?.has(key) === true)
}

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
