import { can, hasRole } from './can.ts'
import type { BearerUse, ValidatedBearer } from './credential.ts'
import { WardenryError } from './errors.ts'
import { rejectionOf } from './judge-bearer.ts'
import type { Settings } from './options.ts'
import type { CheckedRule } from './rule.ts'
import type { ValidatedSession } from './session.ts'

/** Throws the reason for which the rule rejects the session, if any. */
export function assertSessionAllowed(settings: Settings, validated: ValidatedSession, rule: CheckedRule): void {
  const { twoFactor = false, scopes = [] } = rule
  assertUserAllowed(validated, rule)
  if (!scopes.every((scope) => can(validated, scope))) throw new WardenryError('INSUFFICIENT_SCOPE')
  if (twoFactor && validated.session.two_factor_verified !== 1) throw new WardenryError('TWO_FACTOR_REQUIRED')
  assertRecent(settings, validated, rule)
}

/**
 * Throws the reason for which the rule rejects this use of the key or token, if any. Keys and the tokens of service accounts
 * prove neither a time nor a factor. The token of a user proves those of the sign-in.
 */
export function assertBearerAllowed(
  settings: Settings,
  bearer: ValidatedBearer,
  use: BearerUse,
  rule: CheckedRule,
): void {
  const rejection = rejectionOf(bearer, use)
  if (rejection) throw new WardenryError(rejection)
  const demandsProof = rule.maxAge !== undefined || rule.twoFactor === true
  if (demandsProof && (bearer.kind === 'api_key' || bearer.user === null)) throw new WardenryError('FORBIDDEN')
  assertUserAllowed(bearer, rule)
  if (rule.twoFactor && !bearer.methods.includes('mfa')) throw new WardenryError('TWO_FACTOR_REQUIRED')
  assertRecent(settings, bearer, rule)
}

function assertRecent(
  { clock }: Settings,
  { authenticated_at }: { authenticated_at?: string | null },
  { maxAge }: CheckedRule,
): void {
  if (maxAge === undefined) return
  const age = clock.now() - Date.parse(authenticated_at ?? '')
  if (!(age <= maxAge * 1000)) throw new WardenryError('REAUTH_REQUIRED')
}

/** A service account has no user type, and keys and tokens have no role. */
function assertUserAllowed(
  validated: ValidatedSession | ValidatedBearer,
  { userTypes, permission, role }: CheckedRule,
): void {
  const { user } = validated
  if (userTypes && !(user && userTypes.includes(user.user_type))) throw new WardenryError('FORBIDDEN')
  if (permission !== undefined && !can(validated, permission)) throw new WardenryError('FORBIDDEN')
  if (role !== undefined && !hasRole(validated, role)) throw new WardenryError('FORBIDDEN')
}
