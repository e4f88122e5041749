import type { CredentialKind } from './credential.ts'
import type { WardenryError } from './errors.ts'
import type { CheckedRule } from './rule.ts'

/** The error names the kinds that the rule accepts. Requests that wait for the same lookup share it, so it is not changed. */
export function asChallenge(error: WardenryError, rule: CheckedRule, isSent: boolean): WardenryError {
  const { kinds = [] } = rule
  const named = error.code === 'INVALID_CREDENTIAL' ? error.withSentence(`A valid ${oneOf(kinds)} is required.`) : error
  challenge(named, rule, isSent)
  return named
}

const names: Record<CredentialKind, string> = { session: 'session', api_key: 'API key', token: 'access token' }

/** Such as "session, API key or access token". */
const oneOf = (kinds: readonly CredentialKind[]): string =>
  [...new Set(kinds)]
    .map((kind) => names[kind])
    .join(', ')
    .replace(/, ([^,]+)$/, ' or $1')

/**
 * The header `WWW-Authenticate` with which an API answers a request that an access token could open (RFC 6750, 3). `isSent`
 * tells whether the request contains a key or token: without one, no error is named.
 */
function challenge(error: WardenryError, { kinds, scopes = [] }: CheckedRule, isSent: boolean): void {
  if (!kinds?.includes('token')) return
  const scope = scopes.length > 0 ? [`scope="${scopes.join(' ')}"`] : []
  if (error.code === 'INSUFFICIENT_SCOPE') error.addHeader('www-authenticate', bearerWith('insufficient_scope', scope))
  else if (error.status === 401) error.addHeader('www-authenticate', bearerWith(isSent ? 'invalid_token' : '', scope))
}

function bearerWith(error: string, members: string[]): string {
  const all = [...(error ? [`error="${error}"`] : []), ...members]
  return all.length > 0 ? `Bearer ${all.join(', ')}` : 'Bearer'
}
