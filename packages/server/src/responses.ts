import { type ErrorPage, errorPage } from './error-page.ts'
import type { WardenryError } from './errors.ts'
import type { Settings } from './options.ts'
import { formPageOf, type Incoming, isNavigation, opensPage } from './request.ts'

export function redirect(location: string, cookies: string[] = []): Response {
  return new Response(null, {
    status: 303,
    headers: withCookies({ location, 'referrer-policy': 'no-referrer' }, cookies),
  })
}

export function json(body: object, status = 200, cookies: string[] = []): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: withCookies({ 'content-type': 'application/json; charset=utf-8' }, cookies),
  })
}

interface RejectionExtras {
  cookies?: string[]
  /** The page to return to after the sign-in. Default: the page whose form was submitted. */
  returnTo?: string | undefined
  /** The maximum age of the authentication that the page asks for. */
  maxAge?: number
}

/** An error response: a page for navigations, JSON for other requests. */
export async function reject(
  settings: Settings,
  request: Incoming,
  error: WardenryError,
  { cookies = [], returnTo = formPageOf(settings.appUrl, request), maxAge }: RejectionExtras = {},
): Promise<Response> {
  const { code, message, status } = error
  if (status === 503) settings.onError(error)
  const situation = { returnTo, maxAge, isForm: !opensPage(request) }
  // If the service is unavailable, its brand is as well.
  const readBrand = () => settings.brand.read({ mayWait: status !== 503 })
  const reply = isNavigation(request)
    ? page(errorPage(settings, code, message, situation, await readBrand()), pageStatus(error), cookies)
    : json({ success: false, error: message, code }, status, cookies)
  for (const [name, value] of Object.entries(error.headers)) reply.headers.set(name, value)
  if (code === 'METHOD_NOT_ALLOWED') reply.headers.set('allow', 'POST')
  return reply
}

/** Cancelling is not an error, so the page has status 200. */
const pageStatus = ({ code, status }: WardenryError): number => (code === 'ACCESS_DENIED' ? 200 : status)

function page({ text, policy }: ErrorPage, status: number, cookies: string[]): Response {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
  return new Response(text, { status, headers: withCookies(headers, cookies) })
}

function withCookies(members: Record<string, string>, cookies: string[]): Headers {
  const headers = new Headers({ ...members, 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return headers
}
