import { callService } from './call-service.ts'
import { checkOptions, type Members, oneOf, text } from './check-options.ts'
import { writeCookie } from './cookies.ts'
import { WardenryError } from './errors.ts'
import type { Settings } from './options.ts'
import { comesFromOwnPages, type Incoming, searchOf } from './request.ts'
import { json, redirect, reject } from './responses.ts'
import { localAddress } from './return-path.ts'
import { possibleTokensOf, sessionCookieName } from './session-token.ts'
import { requireAppUrl } from './sign-in.ts'

export interface SignOutOptions {
  /** A local path. Default: the request's `return_to`, or `/`. */
  returnTo?: string | undefined
  /**
   * `sign_in` (default) signs the user out of the service and all applications. `application` signs the user out of
   * this application only.
   */
  scope?: SignOutScope | undefined
}

const members: Members<SignOutOptions> = { returnTo: text, scope: oneOf('sign_in', 'application') }

type SignOutScope = 'sign_in' | 'application'

/**
 * A request can contain several session cookies that were set for different paths or domains. Their number is limited
 * because each one costs a request to the service.
 */
const maxTokens = 5

/**
 * Ends every session in the request and removes the cookie. If the service is unreachable, responds with 503 and keeps
 * the cookie because the sessions have not ended.
 */
export async function signOut(settings: Settings, request: Incoming, options: SignOutOptions = {}): Promise<Response> {
  const appUrl = requireAppUrl(settings)
  checkOptions('signOut', options, members)
  if (request.method !== 'POST') return reject(settings, request, new WardenryError('METHOD_NOT_ALLOWED'))
  const { values, from } = possibleTokensOf(settings, request)
  if (from !== 'header' && !isVouchedFor(settings, request)) {
    return reject(settings, request, new WardenryError('CSRF_REJECTED'))
  }
  if (values.length > maxTokens) return reject(settings, request, new WardenryError('AMBIGUOUS_SESSION'))
  const scope = options.scope ?? 'sign_in'
  try {
    const cleared = await Promise.all(values.map((value) => endSession(settings, value, scope)))
    // A session token in a header can differ from the one in the cookie, so the cookie is kept.
    const cookies = from === 'header' ? [] : clearedCookies(settings, cleared.flat())
    const returnTo = localAddress(appUrl, options.returnTo ?? searchOf(request).get('return_to') ?? undefined)
    const isForm = /\btext\/html\b/.test(request.header('accept') ?? '')
    return isForm ? redirect(returnTo ?? `${appUrl}/`, cookies) : json({ success: true }, 200, cookies)
  } catch (error) {
    if (error instanceof WardenryError) return reject(settings, request, error)
    throw error
  }
}

/**
 * Ends either the browser session and all of its application sessions, or only this application's session. Succeeds if
 * the session has already ended. Returns the cookies in the service's response.
 */
export async function endSession(settings: Settings, sessionToken: string, scope: SignOutScope): Promise<string[]> {
  const path = `/auth/logout?scope=${scope}`
  const { status, body, cookies } = await callService(settings, path, {}, { 'x-session-id': sessionToken })
  if (status === 200 || status === 401) return cookies
  throw new WardenryError('UNAVAILABLE', `${settings.internalUrl}/auth/logout returned ${status} ${body.code}`)
}

/** Only the service knows a shared cookie's domain, so its `Set-Cookie` headers are passed on to the browser. */
function clearedCookies(settings: Settings, ofService: string[]): string[] {
  const name = sessionCookieName(settings)
  const own = writeCookie(name, '', { ...settings, maxAge: 0 })
  const shared = settings.session === 'shared' ? ofService.filter((cookie) => cookie.startsWith(`${name}=;`)) : []
  return [...new Set([own, ...shared])]
}

/** All current browsers send at least one of these headers with a form. */
const isVouchedFor = (settings: Settings, request: Incoming): boolean =>
  (request.header('origin') ?? request.header('sec-fetch-site')) !== undefined &&
  comesFromOwnPages(request, settings.origins)
