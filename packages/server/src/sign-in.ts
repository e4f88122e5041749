import { createHash, randomBytes } from 'node:crypto'
import { checkOptions, type Members, oneOf, text } from './check-options.ts'
import { flowCookie } from './flow-cookie.ts'
import type { Settings } from './options.ts'
import { toOwnHost, withoutMark } from './own-host.ts'
import { type Incoming, searchOf } from './request.ts'
import { redirect } from './responses.ts'
import { localAddress } from './return-path.ts'
import { maxAgeKind, minMaxAge } from './rule.ts'

/** Parameters for the sign-in page. `prompt`, `maxAge`, `loginHint` and `uiLocales` are those of OpenID Connect. */
export interface SignInOptions {
  /** A local path, such as `/orders?page=2`. Default: the request's `return_to`, or `/`. */
  returnTo?: string | undefined
  /**
   * `login` makes signed-in users authenticate again. `none` shows no page: if a page is needed, the user returns
   * without a session.
   */
  prompt?: 'login' | 'none' | undefined
  /**
   * The maximum age of the last authentication in seconds, at least 30. Users whose authentication is older must
   * authenticate again.
   */
  maxAge?: number | undefined
  /** The email address or user name to prefill. */
  loginHint?: string | undefined
  /** Language tags in order of preference. */
  uiLocales?: string | undefined
  /** `register` shows the registration page instead of the sign-in page. */
  screen?: 'register' | undefined
}

const members: Members<SignInOptions> = {
  returnTo: text,
  prompt: oneOf('login', 'none'),
  maxAge: maxAgeKind,
  loginHint: text,
  uiLocales: text,
  screen: oneOf('register'),
}

/** Parameters that a link to the sign-in path may set. */
const passedOn = ['prompt', 'max_age', 'login_hint', 'ui_locales', 'screen']

/** Redirects the browser to the sign-in page. A request to another host is first redirected to the host of `appUrl`. */
export function signIn(settings: Settings, request: Incoming, options: SignInOptions = {}): Response {
  const appUrl = requireAppUrl(settings)
  checkOptions('signIn', options, members)
  return toOwnHost(settings, appUrl, request) ?? beginSignIn(settings, appUrl, request, options)
}

/** Like `signIn`, but for a request to a page that requires a session. The user returns to that page. */
export function signInFor(settings: Settings, page: Incoming, options: SignInOptions): Response {
  const appUrl = requireAppUrl(settings)
  const begin = () =>
    beginSignIn(settings, appUrl, { ...page, target: '/' }, { ...options, returnTo: withoutMark(page.target) })
  return toOwnHost(settings, appUrl, page) ?? begin()
}

function beginSignIn(settings: Settings, appUrl: string, request: Incoming, options: SignInOptions): Response {
  const search = searchOf(request)
  const given = options.returnTo ?? search.get('return_to') ?? undefined
  const returnTo = localAddress(appUrl, given) ?? `${appUrl}/`
  const page = new URL(`${settings.url}/login`)
  const parameters = parametersOf(options, search)
  for (const [name, value] of Object.entries(parameters)) page.searchParams.set(name, value)
  if (settings.session === 'shared') {
    page.searchParams.set('return_to', returnTo)
    return redirect(page.href)
  }
  const maxProofAge = maxProofAgeOf(parameters)
  const flow = { state: randomText(), codeVerifier: randomText(), returnTo, startedAt: Date.now(), maxProofAge }
  page.searchParams.set('return_to', callbackAddress(settings))
  page.searchParams.set('state', flow.state)
  page.searchParams.set('code_challenge', createHash('sha256').update(flow.codeVerifier).digest('base64url'))
  page.searchParams.set('code_challenge_method', 'S256')
  return redirect(page.href, [flowCookie(settings, request, flow)])
}

export const callbackAddress = (settings: Settings): string => requireAppUrl(settings) + settings.paths.callback

export function requireAppUrl({ appUrl }: Settings): string {
  if (appUrl) return appUrl
  throw new TypeError('createWardenry: appUrl is missing; it is the public address of this application')
}

function maxProofAgeOf({ prompt, max_age }: Record<string, string>): number | undefined {
  if (prompt?.split(' ').includes('login')) return 0
  return max_age === undefined ? undefined : Number(max_age)
}

/**
 * The service rejects invalid and repeated values, so they are passed on. Ignoring them would omit the authentication
 * that the author of a misspelt link asked for.
 */
function valueOfLink(name: string, search: URLSearchParams): string | undefined {
  if (!search.has(name)) return undefined
  const value = search.getAll(name).join(' ')
  return name === 'max_age' && /^\d{1,9}$/.test(value) ? String(Math.max(minMaxAge, Number(value))) : value
}

function parametersOf(options: SignInOptions, search: URLSearchParams): Record<string, string> {
  const { prompt, maxAge, loginHint, uiLocales, screen } = options
  const wanted = { prompt, max_age: maxAge?.toString(), login_hint: loginHint, ui_locales: uiLocales, screen }
  const fromLink = passedOn.map((name) => [name, valueOfLink(name, search)])
  const given = [...fromLink, ...Object.entries(wanted)].filter(([, value]) => value !== undefined)
  return Object.fromEntries(given)
}

/** 256 random bits in base64url: 43 characters. */
const randomText = (): string => randomBytes(32).toString('base64url')
