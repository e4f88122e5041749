import { createGuardedFetch } from '../../adapters/fetch/node.ts'
import { FetchFailed, NotPublic } from '../../adapters/fetch/port.ts'
import { isWeb } from '../../lib/return-address.ts'
import { second } from '../../lib/time.ts'
import { version } from '../../lib/version.ts'
import type { CookieJar } from './cookie-jar.ts'
import type { StepProblem } from './test-steps.ts'

/** Only the status and the headers are used. */
const fetchPage = createGuardedFetch({ connectMs: 5 * second, totalMs: 10 * second, bytes: 16 * 1024, cutsOff: true })

const maxRedirects = 10

export const testUserAgent = `Mozilla/5.0 (compatible; Wardenry/${version}; sign-in test)`

const headers = {
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'user-agent': testUserAgent,
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'none',
}

export interface TestBrowser {
  jar: CookieJar
  signal: AbortSignal
  /** The origin of this service. */
  service: string
  /** Whether private addresses and plain HTTP are allowed. */
  mayBePrivate: boolean
  /** Whether the URL is one of the application. No other URL is requested. */
  mayOpen(url: URL): boolean
}

/** The pages that were opened, until one that is no redirect, or that leads to the sign-in page of this service. */
export interface OpenedPage {
  at: URL
  /** The status of the first response. */
  first?: number | undefined
  /** The status of the last response. */
  status?: number | undefined
  /** The address of this service's sign-in page, if the last response leads there. */
  signIn?: URL
  problem?: StepProblem
}

export async function openPage(browser: TestBrowser, start: URL): Promise<OpenedPage> {
  let at = start
  let first: number | undefined
  for (let count = 0; count <= maxRedirects; count++) {
    const response = await request(browser, at)
    if (!(response instanceof Response)) return { at, first, problem: response }
    const { status } = response
    first ??= status
    const location = status >= 300 && status < 400 ? response.headers.get('location') : null
    if (location === null) return { at, first, status }
    const next = URL.parse(location, at)
    if (next && isSignInPage(browser, next)) return { at, first, status, signIn: next }
    if (!next || !browser.mayOpen(next)) {
      return { at, first, status, problem: { reason: 'other_host', detail: next?.host || location.slice(0, 100) } }
    }
    at = next
  }
  return { at, first, problem: { reason: 'redirect_loop' } }
}

const isSignInPage = ({ service }: TestBrowser, { origin, pathname }: URL): boolean =>
  origin === service && (pathname === '/login' || pathname === '/register')

async function request({ jar, signal, mayBePrivate }: TestBrowser, url: URL): Promise<Response | StepProblem> {
  const cookie = jar.headerFor(url)
  const policy = { hosts: [url.host], configured: mayBePrivate && isWeb(url.protocol) ? [url.origin] : [] }
  try {
    const response = await fetchPage(url.href, { headers: { ...headers, ...(cookie && { cookie }) }, signal }, policy)
    jar.store(url, response.headers.getSetCookie())
    return response
  } catch (error) {
    if (error instanceof NotPublic) return { reason: 'not_public', detail: error.message }
    if (error instanceof FetchFailed) return { reason: 'unreachable', detail: error.message }
    throw error
  }
}
