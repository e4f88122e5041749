import { can, hasRole } from './can.ts'
import type { KeyUse, ValidatedKey } from './credential.ts'
import { WardenryError } from './errors.ts'
import { rejectionOf } from './judge-key.ts'
import type { Settings } from './options.ts'
import type { CheckedRule } from './rule.ts'
import type { ValidatedSession } from './session.ts'

/** Throws the reason for which the rule rejects the session, if any. */
export function assertSessionAllowed(settings: Settings, validated: ValidatedSession, rule: CheckedRule): void {
  const { session, authenticated_at } = validated
  const { maxAge, twoFactor = false, scopes = [] } = rule
  assertUserAllowed(validated, rule)
  if (!scopes.every((scope) => can(validated, scope))) throw new WardenryError('INSUFFICIENT_SCOPE')
  if (twoFactor && session.two_factor_verified !== 1) throw new WardenryError('TWO_FACTOR_REQUIRED')
  if (maxAge === undefined) return
  const age = settings.clock.now() - Date.parse(authenticated_at ?? '')
  if (!(age <= maxAge * 1000)) throw new WardenryError('REAUTH_REQUIRED')
}

/** Throws the reason for which the rule rejects this use of the key, if any. A key proves neither a time nor a factor. */
export function assertKeyAllowed(key: ValidatedKey, use: KeyUse, rule: CheckedRule): void {
  const rejection = rejectionOf(key, use)
  if (rejection) throw new WardenryError(rejection)
  if (rule.maxAge !== undefined || rule.twoFactor) throw new WardenryError('FORBIDDEN')
  assertUserAllowed(key, rule)
}

/** A service account has no user type. */
function assertUserAllowed(
  validated: ValidatedSession | ValidatedKey,
  { userTypes, permission, role }: CheckedRule,
): void {
  const { user } = validated
  if (userTypes && !(user && userTypes.includes(user.user_type))) throw new WardenryError('FORBIDDEN')
  if (permission !== undefined && !can(validated, permission)) throw new WardenryError('FORBIDDEN')
  if (role !== undefined && !hasRole(validated, role)) throw new WardenryError('FORBIDDEN')
}
