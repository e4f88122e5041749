import { type BrandSource, brandSource } from './brand.ts'
import {
  callable,
  listOfText,
  type Members,
  object,
  oneOf,
  problemsOf,
  text,
  wholeNumber,
  withFunctions,
} from './check-options.ts'
import { isRange, type TrustedProxies, trustedPeers } from './end-user.ts'
import type { WardenryError } from './errors.ts'
import { type ServiceClock, serviceClock } from './service-clock.ts'
import type { SessionSource } from './session.ts'

/** The options of `createWardenry`. */
export interface WardenryOptions {
  /** The service's PUBLIC_URL, which users open in the browser, such as `https://id.example.com`. */
  url: string
  /**
   * One of the service's bridge secrets. Keep it out of the repository and out of browser code. The type permits
   * `process.env.BRIDGE_SECRET`, but `createWardenry` throws an error if the value is undefined.
   */
  bridgeSecret: string | undefined
  /** This application's public URL, such as `https://shop.example`. Required for sign-in and sign-out. */
  appUrl?: string | undefined
  /** The URL at which this back end reaches the service if it differs from `url`. */
  internalUrl?: string | undefined
  /**
   * `own` (default): the application has its own session and its own cookie, and can run on any host. `shared`: the
   * application uses the service's cookie. Its host must be the service's host or within the service's
   * `SESSION_COOKIE_DOMAIN`.
   */
  session?: 'own' | 'shared' | undefined
  /** The name of this application's cookie, prefixed with `__Host-` over HTTPS. Default: `wardenry_session`. */
  cookieName?: string | undefined
  /** With `shared`: the service's `SESSION_COOKIE_NAME`. Default: `session_id`. */
  serviceCookieName?: string | undefined
  /** Local paths. Default: `/sign-in`, `/sign-in/callback`, `/sign-out`. */
  paths?: Partial<Paths> | undefined
  /** Other origins whose pages may send requests with this application's cookie. */
  trustedOrigins?: string[] | undefined
  /** Other applications whose sessions are accepted in headers. List mobile apps by URL scheme, such as `shop:`. */
  applications?: string[] | undefined
  /**
   * Addresses and CIDR ranges of the proxies in front of this application, whose `X-Forwarded-For` header is trusted.
   * With `[]`, the connection's address is the visitor's. Required for binding sessions to IP addresses with the
   * service's `SESSION_BINDING`; without it, they are bound to the user agent only.
   */
  trustedProxies?: string[] | undefined
  /**
   * The maximum number of sessions in memory, at about 1.5 kB each. Default: 25,000. If 0, no event stream is opened,
   * and the service validates the session of every request.
   */
  maxSessions?: number | undefined
  /** Called with the error for every 503 response. Default: prints an error at most once a minute. */
  onError?: ((error: WardenryError) => void) | undefined
  fetch?: typeof fetch | undefined
  /** Replaces the session lookup in tests. */
  source?: SessionSource | undefined
}

export interface Paths {
  signIn: string
  callback: string
  signOut: string
  /** The path for users who cancel the sign-in. By default, this package's own page is shown. */
  cancelled?: string | undefined
}

/** Unlike `Required`, also removes `undefined`, which callers may pass. */
type Complete<Options> = { [Name in keyof Options]-?: Exclude<Options[Name], undefined> }

/** The validated options. */
export interface Settings
  extends Complete<
    Omit<WardenryOptions, 'appUrl' | 'bridgeSecret' | 'paths' | 'source' | 'trustedOrigins' | 'trustedProxies'>
  > {
  bridgeSecret: string
  /** Undefined if the visitor's address is not known. */
  trustedProxies: TrustedProxies | undefined
  appUrl: string | undefined
  paths: Paths
  origins: ReadonlySet<string>
  isSecure: boolean
  clock: ServiceClock
  brand: BrandSource
}

const members: Members<WardenryOptions> = {
  url: text,
  bridgeSecret: text,
  appUrl: text,
  internalUrl: text,
  session: oneOf('own', 'shared'),
  cookieName: text,
  serviceCookieName: text,
  paths: object,
  trustedOrigins: listOfText,
  applications: listOfText,
  trustedProxies: listOfText,
  maxSessions: wholeNumber(0),
  onError: callable,
  fetch: callable,
  source: withFunctions('validate', 'peek', 'close'),
}

const usualPaths = { signIn: '/sign-in', callback: '/sign-in/callback', signOut: '/sign-out' }

const pathMembers: Members<Paths> = { signIn: text, callback: text, signOut: text, cancelled: text }

/** Throws a single error that lists all problems. */
export function readOptions(options: WardenryOptions): Settings {
  const problems = [
    ...problemsOf(options, members),
    ...(options?.paths === undefined
      ? []
      : problemsOf(options.paths, pathMembers).map((problem) => `paths: ${problem}`)),
  ]
  // Values of a wrong kind would make the checks below fail with errors of their own.
  if (problems.length > 0) throw new TypeError(`createWardenry: ${problems.join('; ')}`)
  const address = (name: string, value: string | undefined): string => {
    const url = parseUrl(value)
    if (!url) problems.push(`${name} must be an http or https URL, such as https://id.example.com`)
    else if (url.pathname !== '/' || url.search || url.hash || url.username)
      problems.push(`${name} must not have a path`)
    return url?.origin ?? ''
  }
  const url = address('url', options.url)
  const internalUrl = options.internalUrl === undefined ? url : address('internalUrl', options.internalUrl)
  const appUrl = options.appUrl === undefined ? undefined : address('appUrl', options.appUrl)
  const trusted = (options.trustedOrigins ?? []).map((origin) => address('trustedOrigins', origin))
  // Next.js loads every module during the build, when the application's secrets are not available.
  const isBuild = process.env.NEXT_PHASE === 'phase-production-build'
  if (!isBuild && !options.bridgeSecret)
    problems.push('bridgeSecret is missing; the service prints it at start: BRIDGE_SECRET=… node main.js')
  const given = Object.entries(options.paths ?? {}).filter(([, path]) => path !== undefined)
  const paths: Paths = { ...usualPaths, ...Object.fromEntries(given) }
  for (const [name, path] of Object.entries(paths)) {
    if (!/^\/[\w./-]*$/.test(path)) problems.push(`paths.${name} must be a path, such as /sign-in`)
  }
  const session = options.session ?? 'own'
  const names = [options.cookieName ?? 'wardenry_session', options.serviceCookieName ?? 'session_id'] as const
  if (!names.every((name) => /^[\w-]+$/.test(name)))
    problems.push('cookie names must consist of letters, digits, _ and -')
  // Cookies ignore ports, so on localhost the application and the service would overwrite each other's cookies.
  if (session === 'own' && names[0] === names[1])
    problems.push(`cookieName must not be ${names[1]}, the cookie of the service`)
  const proxies = options.trustedProxies
  for (const range of proxies ?? []) {
    if (!isRange(range)) problems.push(`trustedProxies must contain IP addresses and CIDR ranges, not ${range}`)
  }
  const maxSessions = options.maxSessions ?? 25_000
  if (problems.length > 0 && !isBuild) throw new TypeError(`createWardenry: ${problems.join('; ')}`)

  const isSecure = appUrl?.startsWith('https:') ?? false
  return {
    url,
    internalUrl,
    appUrl,
    bridgeSecret: options.bridgeSecret ?? '',
    session,
    cookieName: isSecure ? `__Host-${names[0]}` : names[0],
    serviceCookieName: names[1],
    paths,
    origins: new Set([...(appUrl ? [appUrl] : []), ...trusted]),
    isSecure,
    clock: serviceClock(),
    maxSessions,
    onError: options.onError ?? printSeldom(),
    applications: options.applications ?? [],
    trustedProxies: proxies && trustedPeers(proxies.filter(isRange)),
    fetch: options.fetch ?? fetch,
    brand: brandSource({ url, internalUrl, fetch: options.fetch ?? fetch }),
  }
}

function parseUrl(text: string | undefined): URL | undefined {
  try {
    const url = new URL(text ?? '')
    return /^https?:$/.test(url.protocol) ? url : undefined
  } catch {
    return undefined
  }
}

function printSeldom(): (error: WardenryError) => void {
  let next = 0
  return (error) => {
    if (performance.now() < next) return
    next = performance.now() + 60_000
    console.error(`Wardenry: ${error.reason}`)
  }
}
