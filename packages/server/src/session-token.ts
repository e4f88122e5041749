import { cookieValues } from './cookies.ts'
import type { Settings } from './options.ts'
import type { Incoming } from './request.ts'

const form = /^ses_[A-Za-z0-9_-]{43}$/

export interface SessionToken {
  value: string
  /** Browsers send cookies automatically, but headers only if a program sets them. */
  from: 'header' | 'cookie'
}

/**
 * The session token of a request. If one place contains different values, they count as none, because it is unclear
 * which one is meant.
 */
export function sessionTokenOf(settings: Settings, request: Incoming): SessionToken | undefined {
  const { values, from } = sentTokensOf(settings, request)
  const [value, ...others] = values
  if (value === undefined || others.length > 0 || !form.test(value)) return undefined
  return { value, from }
}

/** All different values that can be session tokens. Each of them may be valid. */
export function possibleTokensOf(settings: Settings, request: Incoming): SentTokens {
  const { values, from } = sentTokensOf(settings, request)
  return { values: values.filter((value) => form.test(value)), from }
}

interface SentTokens {
  values: string[]
  from: SessionToken['from']
}

/**
 * The first of these that is present: the `X-Session-ID` header, the `Authorization: Bearer ses_…` header, the cookie.
 */
function sentTokensOf(settings: Settings, { header }: Incoming): SentTokens {
  const headers = [header('x-session-id'), bearerOf(header('authorization'))].filter((value) => value !== undefined)
  if (headers.length > 0) return { values: [...new Set(headers)], from: 'header' }
  return { values: [...new Set(cookieValues(header('cookie'), sessionCookieName(settings)))], from: 'cookie' }
}

export const sessionCookieName = (settings: Settings): string =>
  settings.session === 'shared' ? settings.serviceCookieName : settings.cookieName

/** Other tokens in this header belong to the application. */
const bearerOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +(ses_\S*)/i.exec(authorization ?? '')?.[1]
