import type { ValidatedCredential } from './credential.ts'
import { WardenryError } from './errors.ts'
import { getCredential } from './get-credential.ts'
import { getSession } from './get-session.ts'
import type { Settings } from './options.ts'
import { type Incoming, opensPage } from './request.ts'
import { reject } from './responses.ts'
import type { CheckedRule } from './rule.ts'
import type { SessionSource, ValidatedSession } from './session.ts'
import { signInFor } from './sign-in.ts'

/** A rule with `kinds` has a result that names the kind. */
export type Permitted = ValidatedSession | ValidatedCredential

/** Returns the session, key or token if the request is permitted. Otherwise, returns the response to send. */
export async function requireUser(
  settings: Settings,
  source: SessionSource,
  request: Incoming,
  rule: CheckedRule,
): Promise<Permitted | Response> {
  try {
    return await getPermitted(settings, source, request, rule)
  } catch (error) {
    if (!(error instanceof WardenryError)) throw error
    const mayHelp = error.code === 'INVALID_SESSION' || error.code === 'REAUTH_REQUIRED'
    const proof = error.code === 'REAUTH_REQUIRED' && rule.maxAge !== undefined ? { maxAge: rule.maxAge } : {}
    if (!mayHelp || !settings.appUrl || !opensPage(request)) return reject(settings, request, error, proof)
    return signInFor(settings, request, proof)
  }
}

/** Returns the session, key or token if the request is permitted. Otherwise, rejects with the reason. */
export const getPermitted = (
  settings: Settings,
  source: SessionSource,
  request: Incoming,
  rule: CheckedRule,
): Promise<Permitted> => (rule.kinds ? getCredential : getSession)(settings, source, request, rule)
