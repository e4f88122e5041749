import type { WardenryError } from './errors.ts'
import type { Settings } from './options.ts'
import { type Incoming, isNavigation } from './request.ts'

/** A redirect that no cache keeps. */
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

/** A refusal: a page for people, JSON for programs. Neither repeats anything of the request. */
export function refuse(settings: Settings, request: Incoming, error: WardenryError, cookies: string[] = []): Response {
  const { code, message, status } = error
  if (status === 503) settings.onError(error)
  const reply = isNavigation(request)
    ? page(settings, message, status, cookies)
    : json({ success: false, error: message, code }, status, cookies)
  if (status === 503) reply.headers.set('retry-after', '1')
  if (code === 'METHOD_NOT_ALLOWED') reply.headers.set('allow', 'POST')
  return reply
}

function page({ paths }: Settings, sentence: string, status: number, cookies: string[]): Response {
  const next = status === 503 ? '' : `<p><a href="${paths.signIn}">Sign in again</a></p>`
  const text = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign in</title><p>${sentence}</p>${next}</html>`
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
  }
  return new Response(text, { status, headers: withCookies(headers, cookies) })
}

function withCookies(members: Record<string, string>, cookies: string[]): Headers {
  const headers = new Headers({ ...members, 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return headers
}
