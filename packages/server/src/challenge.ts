import type { WardenryError } from './errors.ts'
import type { CheckedRule } from './rule.ts'

/**
 * The header `WWW-Authenticate` with which an API answers a request that an access token could open (RFC 6750, 3). `isSent`
 * tells whether the request contains a key or token: without one, no error is named.
 */
export function challenge(error: WardenryError, { kinds, scopes = [] }: CheckedRule, isSent: boolean): void {
  if (!kinds?.includes('token')) return
  const scope = scopes.length > 0 ? [`scope="${scopes.join(' ')}"`] : []
  if (error.code === 'INSUFFICIENT_SCOPE') error.addHeader('www-authenticate', bearerWith('insufficient_scope', scope))
  else if (error.status === 401) error.addHeader('www-authenticate', bearerWith(isSent ? 'invalid_token' : '', scope))
}

function bearerWith(error: string, members: string[]): string {
  const all = [...(error ? [`error="${error}"`] : []), ...members]
  return all.length > 0 ? `Bearer ${all.join(', ')}` : 'Bearer'
}
