import { cookieValues } from './cookies.ts'
import type { CredentialKind, ValidatedBearer } from './credential.ts'
import { WardenryError } from './errors.ts'
import { isKey } from './key-form.ts'
import type { Settings } from './options.ts'
import type { Incoming } from './request.ts'
import { isAccessToken } from './token-form.ts'

const form = /^ses_[A-Za-z0-9_-]{43}$/

export interface SessionToken {
  value: string
  /**
   * Browsers attach cookies automatically, even to cross-origin requests. A header is sent only if a program sets it.
   */
  from: 'header' | 'cookie'
}

/**
 * The request's session token. Undefined if the request contains several different values, because it is then unclear
 * which one to use.
 */
export function sessionTokenOf(settings: Settings, request: Incoming): SessionToken | undefined {
  const { values, from } = sentTokensOf(settings, request)
  const [value, ...others] = values
  if (value === undefined || others.length > 0 || !form.test(value)) return undefined
  return { value, from }
}

/** An API key or access token of a request. */
export interface Bearer {
  value: string
  kind: ValidatedBearer['kind']
}

/**
 * The request's API key or access token, of the kinds that are accepted. Throws INVALID_CREDENTIAL if the request contains
 * several different credentials that are accepted, because it is then unclear which one to use.
 */
export function bearerIn(
  settings: Settings,
  request: Incoming,
  accepted: readonly CredentialKind[],
): Bearer | undefined {
  const sent = request.authorizations.flatMap(bearersOf)
  const kindOf = (value: string): Bearer['kind'] | undefined => {
    if (accepted.includes('api_key') && isKey(value)) return 'api_key'
    return accepted.includes('token') && isAccessToken(value, settings.url) ? 'token' : undefined
  }
  const kinds = [...new Set(sent)].map((value) => ({ value, kind: kindOf(value) }))
  const [bearer, ...others] = kinds.filter((one): one is Bearer => one.kind !== undefined)
  if (!bearer) return undefined
  const hasSession = sentTokensOf(settings, request).from === 'header' || sent.some((one) => one.startsWith('ses_'))
  if (others.length > 0 || (accepted.includes('session') && hasSession)) throw new WardenryError('INVALID_CREDENTIAL')
  return bearer
}

/** Several headers can be joined by commas, which credentials do not contain. */
const bearersOf = (authorization: string): string[] =>
  authorization.split(',').flatMap((part) => /^\s*Bearer +(\S+)\s*$/i.exec(part)?.[1] ?? [])

/** All values in the request that look like session tokens. */
export function possibleTokensOf(settings: Settings, request: Incoming): SentTokens {
  const { values, from } = sentTokensOf(settings, request)
  return { values: values.filter((value) => form.test(value)), from }
}

interface SentTokens {
  values: string[]
  from: SessionToken['from']
}

/**
 * The values of the `X-Session-ID` and `Authorization: Bearer ses_…` headers. If both are absent, those of the
 * session cookies.
 */
function sentTokensOf(settings: Settings, { header, authorizations }: Incoming): SentTokens {
  const headers = [header('x-session-id'), ...authorizations.map(bearerOf)].filter((value) => value !== undefined)
  if (headers.length > 0) return { values: [...new Set(headers)], from: 'header' }
  return { values: [...new Set(cookieValues(header('cookie'), sessionCookieName(settings)))], from: 'cookie' }
}

export const sessionCookieName = (settings: Settings): string =>
  settings.session === 'shared' ? settings.serviceCookieName : settings.cookieName

/** Ignores tokens that do not begin with `ses_`, because they are the application's own tokens. */
const bearerOf = (authorization: string): string | undefined => /^Bearer +(ses_\S*)/i.exec(authorization)?.[1]
