import { brandSource } from './brand.ts'
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
import { isRange, trustedPeers } from './end-user.ts'
import type { WardenryError } from './errors.ts'
import type { Paths, Settings, WardenryOptions } from './options.ts'
import { serviceClock } from './service-clock.ts'

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
  const wrongKinds = [
    ...problemsOf(options, members),
    ...(options?.paths === undefined
      ? []
      : problemsOf(options.paths, pathMembers).map((problem) => `paths: ${problem}`)),
  ]
  // Values of a wrong kind would make the checks below fail with errors of their own.
  if (wrongKinds.length > 0) throw invalid(wrongKinds)
  const problems: string[] = []
  const addresses = readAddresses(options, problems)
  // Next.js loads every module during the build, when the application's secrets are not available.
  const isBuild = process.env.NEXT_PHASE === 'phase-production-build'
  if (!isBuild && !options.bridgeSecret)
    problems.push('bridgeSecret is missing; the service prints it at start: BRIDGE_SECRET=… node main.js')
  const paths = readPaths(options.paths, problems)
  const cookies = readCookies(options, addresses.isSecure, problems)
  const trustedProxies = readProxies(options.trustedProxies, problems)
  if (problems.length > 0 && !isBuild) throw invalid(problems)

  const { url, internalUrl } = addresses
  return {
    ...addresses,
    ...cookies,
    bridgeSecret: options.bridgeSecret ?? '',
    paths,
    clock: serviceClock(),
    maxSessions: options.maxSessions ?? 25_000,
    onError: options.onError ?? printSeldom(),
    applications: options.applications ?? [],
    trustedProxies,
    fetch: options.fetch ?? fetch,
    brand: brandSource({ url, internalUrl, fetch: options.fetch ?? fetch }),
  }
}

const invalid = (problems: string[]): TypeError => new TypeError(`createWardenry: ${problems.join('; ')}`)

function readAddresses(
  options: WardenryOptions,
  problems: string[],
): Pick<Settings, 'url' | 'internalUrl' | 'appUrl' | 'origins' | 'isSecure'> {
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
  const origins = new Set([...(appUrl ? [appUrl] : []), ...trusted])
  return { url, internalUrl, appUrl, origins, isSecure: appUrl?.startsWith('https:') ?? false }
}

function parseUrl(text: string | undefined): URL | undefined {
  try {
    const url = new URL(text ?? '')
    return /^https?:$/.test(url.protocol) ? url : undefined
  } catch {
    return undefined
  }
}

function readPaths(given: WardenryOptions['paths'], problems: string[]): Paths {
  const own = Object.entries(given ?? {}).filter(([, path]) => path !== undefined)
  const paths: Paths = { ...usualPaths, ...Object.fromEntries(own) }
  for (const [name, path] of Object.entries(paths)) {
    if (!/^\/[\w./-]*$/.test(path)) problems.push(`paths.${name} must be a path, such as /sign-in`)
  }
  return paths
}

function readCookies(
  { session = 'own', cookieName = 'wardenry_session', serviceCookieName = 'session_id' }: WardenryOptions,
  isSecure: boolean,
  problems: string[],
): Pick<Settings, 'session' | 'cookieName' | 'serviceCookieName'> {
  if (![cookieName, serviceCookieName].every((name) => /^[\w-]+$/.test(name)))
    problems.push('cookie names must consist of letters, digits, _ and -')
  // Cookies ignore ports, so on localhost the application and the service would overwrite each other's cookies.
  if (session === 'own' && cookieName === serviceCookieName)
    problems.push(`cookieName must not be ${serviceCookieName}, the cookie of the service`)
  return { session, cookieName: isSecure ? `__Host-${cookieName}` : cookieName, serviceCookieName }
}

function readProxies(ranges: string[] | undefined, problems: string[]): Settings['trustedProxies'] {
  for (const range of ranges ?? []) {
    if (!isRange(range)) problems.push(`trustedProxies must contain IP addresses and CIDR ranges, not ${range}`)
  }
  return ranges && trustedPeers(ranges.filter(isRange))
}

function printSeldom(): (error: WardenryError) => void {
  let next = 0
  return (error) => {
    if (performance.now() < next) return
    next = performance.now() + 60_000
    console.error(`Wardenry: ${error.reason}`)
  }
}
