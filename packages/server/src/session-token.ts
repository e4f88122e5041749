import { cookieValues } from './cookies.ts'
import type { Settings } from './options.ts'
import type { Incoming } from './request.ts'

const form = /^ses_[A-Za-z0-9_-]{43}$/

export interface SessionToken {
  value: string
  /** Browsers add cookies by themselves, headers only when a program asks for it. */
  from: 'header' | 'cookie'
}

/**
 * The session value of a request. Different values in one place count as none, since nobody knows which one the person
 * means.
 */
export function sessionTokenOf(settings: Settings, request: Incoming): SessionToken | undefined {
  const { values, from } = sentTokensOf(settings, request)
  const [value, ...others] = values
  if (value === undefined || others.length > 0 || !form.test(value)) return undefined
  return { value, from }
}

/** The different values that can be sessions: each may be alive. */
export function possibleTokensOf(settings: Settings, request: Incoming): SentTokens {
  const { values, from } = sentTokensOf(settings, request)
  return { values: values.filter((value) => form.test(value)), from }
}

interface SentTokens {
  values: string[]
  from: SessionToken['from']
}

/** The first of these that is present decides: the headers `X-Session-ID` and `Authorization: Bearer ses_…`, the cookie. */
function sentTokensOf(settings: Settings, { header }: Incoming): SentTokens {
  const headers = [header('x-session-id'), bearerOf(header('authorization'))].filter((value) => value !== undefined)
  if (headers.length > 0) return { values: [...new Set(headers)], from: 'header' }
  return { values: [...new Set(cookieValues(header('cookie'), sessionCookieName(settings)))], from: 'cookie' }
}

export const sessionCookieName = (settings: Settings): string =>
  settings.session === 'shared' ? settings.serviceCookieName : settings.cookieName

/** Other tokens in this header are the application's own business. */
const bearerOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +(ses_\S*)/i.exec(authorization ?? '')?.[1]
