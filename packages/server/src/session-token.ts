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
 * The session value of a request. The first of these that is present decides: the headers `X-Session-ID` and
 * `Authorization: Bearer ses_…`, then the cookie. Different values in one place count as none.
 */
export function sessionTokenOf(settings: Settings, { header }: Incoming): SessionToken | undefined {
  const headers = [header('x-session-id'), bearerOf(header('authorization'))].filter((value) => value !== undefined)
  if (headers.length > 0) return only(headers, 'header')
  return only(cookieValues(header('cookie'), sessionCookieName(settings)), 'cookie')
}

export const sessionCookieName = (settings: Settings): string =>
  settings.session === 'shared' ? settings.serviceCookieName : settings.cookieName

/** Other tokens in this header are the application's own business. */
const bearerOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +(ses_\S*)/i.exec(authorization ?? '')?.[1]

function only(values: string[], from: SessionToken['from']): SessionToken | undefined {
  const [value, ...others] = new Set(values)
  if (value === undefined || others.length > 0 || !form.test(value)) return undefined
  return { value, from }
}
