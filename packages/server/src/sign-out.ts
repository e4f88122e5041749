import { callService } from './call-service.ts'
import { writeCookie } from './cookies.ts'
import { WardenryError } from './errors.ts'
import type { Settings } from './options.ts'
import { json, redirect, refuse } from './replies.ts'
import { comesFromOwnPages, type Incoming, searchOf } from './request.ts'
import { localAddress } from './return-path.ts'
import { sessionCookieName, sessionTokenOf } from './session-token.ts'
import { requireAppUrl } from './sign-in.ts'

export interface SignOutOptions {
  /** A local path. Default: the `return_to` of the request, else `/`. */
  returnTo?: string
  /** `sign_in` (default) signs out of the service and of all applications, `application` of this one. */
  scope?: SignOutScope
}

type SignOutScope = 'sign_in' | 'application'

/**
 * Ends the session at the service and removes the cookie. When the service cannot be asked, the answer is 503 and the
 * cookie stays: a person who reads "signed out" must be signed out.
 */
export async function signOut(settings: Settings, request: Incoming, options: SignOutOptions = {}): Promise<Response> {
  const appUrl = requireAppUrl(settings)
  if (request.method !== 'POST') return refuse(settings, request, new WardenryError('METHOD_NOT_ALLOWED'))
  const token = sessionTokenOf(settings, request)
  if (token?.from !== 'header' && !isVouchedFor(settings, request)) {
    return refuse(settings, request, new WardenryError('CSRF_REJECTED'))
  }
  try {
    if (token) await endSession(settings, token.value, options.scope ?? 'sign_in')
  } catch (error) {
    if (error instanceof WardenryError) return refuse(settings, request, error)
    throw error
  }
  const cookies = [writeCookie(sessionCookieName(settings), '', { ...settings, maxAge: 0 })]
  const returnTo = localAddress(appUrl, options.returnTo ?? searchOf(request).get('return_to') ?? undefined)
  const isForm = /\btext\/html\b/.test(request.header('accept') ?? '')
  return isForm ? redirect(returnTo ?? `${appUrl}/`, cookies) : json({ success: true }, 200, cookies)
}

/**
 * Ends the whole sign-in, with the sessions of all applications, or the session of this application alone. One that has
 * ended already is refused there, and that is as good.
 */
export async function endSession(settings: Settings, sessionToken: string, scope: SignOutScope): Promise<void> {
  await callService(settings, `/auth/logout?scope=${scope}`, {}, { 'x-session-id': sessionToken })
}

/** Every current browser says where a form comes from. */
const isVouchedFor = (settings: Settings, request: Incoming): boolean =>
  (request.header('origin') ?? request.header('sec-fetch-site')) !== undefined &&
  comesFromOwnPages(request, settings.origins)
