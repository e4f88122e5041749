import type { Application, ApplicationSet, MatchedAddress, OriginOfApplication } from '../context.ts'
import type { AddressKind } from '../db/rows/applications.ts'
import { hasDisguisedSegment } from '../lib/client-text.ts'
import { foldedPath } from '../lib/folded-path.ts'
import { isOrigin, isWeb, returnAddressIn } from '../lib/return-address.ts'
import { indexSecrets, type StoredSecret } from './secrets/index-secrets.ts'

export interface StoredApplication extends Omit<Application, 'wholeOrigins'> {
  readonly addresses: readonly { kind: AddressKind; address: string }[]
  readonly isDevelopment: boolean
  readonly secrets: readonly StoredSecret[]
}

/** Addresses are found by their text, so the time does not depend on the number of applications and addresses. */
export function createApplicationSet(version: number, stored: readonly StoredApplication[]): ApplicationSet {
  const entries = stored.map((one) => ({ stored: one, application: withoutAddresses(one) }))
  const applications = entries.map(({ application }) => application)
  const returns = indexed(entries, 'return')
  const origins = indexed(entries, 'origin')
  const hosts = originsByHost(returns)
  const depth = returns.keys().reduce((most, address) => Math.max(most, partsOf(address)), 1)
  const disabled = pathsOf(returns, ({ isEnabled }) => !isEnabled)
  const restricted = pathsOf(returns, hasRule)
  const secrets = indexSecrets(entries.map(({ application, stored }) => ({ application, secrets: stored.secrets })))
  const keys = new Map(applications.map((application) => [application.key, application]))

  return {
    version,
    hasDisabled: applications.some(({ isEnabled }) => !isEnabled),
    hasMethods: applications.some(({ signInMethods }) => signInMethods.length > 0),
    ofReturnAddress(url) {
      if (!isWeb(url.protocol)) {
        const scheme = `${url.protocol}//`
        return url.href.startsWith(scheme) ? matched(returns, scheme) : undefined
      }
      for (const origin of originsOf(url)) {
        const found = closest(returns, { origin, pathname: url.pathname, depth })
        if (found) return found
      }
      return undefined
    },
    isBelowDisabled: (url, accepting) => applicationsBelow(disabled, url, accepting).length > 0,
    restrictedBelow: (url, accepting) => applicationsBelow(restricted, url, accepting),
    onHost: (hostname) => hosts.get(hostname) ?? [],
    ofOrigin(origin) {
      const exact = origins.get(origin)
      if (exact) return exact
      const url = URL.parse(origin)
      const local = url?.origin === origin ? onAnyPort(url) : undefined
      return local && origins.get(local.origin)
    },
    ofKey: (key) => keys.get(key),
    hasSecrets: secrets.size > 0,
    ofSecret: (hash) => secrets.get(hash),
  }
}

/** By address. */
type Index = ReadonlyMap<string, Application>

interface Entry {
  stored: StoredApplication
  application: Application
}

/** The indexes contain the addresses. */
function withoutAddresses({
  addresses,
  secrets: _secrets,
  isDevelopment: _local,
  ...others
}: StoredApplication): Application {
  const returns = addresses.filter(({ kind }) => kind === 'return').map(({ address }) => address.replace(/\/\/$/, ''))
  return { ...others, wholeOrigins: returns.filter((address) => !address.replace('://', '').includes('/')) }
}

const indexed = (entries: readonly Entry[], kind: AddressKind): Index =>
  new Map(
    entries.flatMap(({ stored, application }) =>
      stored.addresses
        .filter((one) => one.kind === kind && isServed(stored, one))
        .map(({ address }) => [address, application] as const),
    ),
  )

/** The longest address of which all segments are at the start of the path. `depth` is at least the segments of any address. */
function closest(
  index: Index,
  { origin, pathname, depth }: { origin: string; pathname: string; depth: number },
): MatchedAddress | undefined {
  const segments = hasDisguisedSegment(pathname) ? [''] : pathname.split('/', depth + 1)
  for (; segments.length > 0; segments.pop()) {
    const found = matched(index, origin + segments.join('/'))
    if (found) return found
  }
  return undefined
}

function matched(index: Index, address: string): MatchedAddress | undefined {
  const application = index.get(address)
  return application && { application, address }
}

interface Paths {
  byText: Map<string, Application>
  applications: Application[]
  /** The most segments of any of them. */
  depth: number
}

const none = (): Paths => ({ byText: new Map(), applications: [], depth: 0 })

type PathIndex = ReadonlyMap<string, Paths>

/** Those of the index for which servers may take a URL that another address, the accepting one, covers. */
function applicationsBelow(index: PathIndex, url: URL, accepting: string): Application[] {
  if (!isWeb(url.protocol)) return []
  const paths = originsOf(url).flatMap((origin) => index.get(origin) ?? [])
  if (paths.length === 0) return []
  const segments = foldedPath(url.pathname)
  if (!segments) return paths.flatMap(({ applications }) => applications)
  const least = foldedPath(new URL(accepting).pathname)?.length ?? 0
  return paths.flatMap((one) => applicationsAbove(one, segments, least))
}

const applicationsAbove = ({ byText, depth }: Paths, segments: readonly string[], least: number): Application[] =>
  segments
    .slice(0, depth)
    .flatMap((_, at, first) => (at >= least ? (byText.get(first.slice(0, at + 1).join('/')) ?? []) : []))

/** The folded paths of applications by origin. */
function pathsOf(returns: Index, concerns: (application: Application) => boolean): PathIndex {
  const byOrigin = new Map<string, Paths>()
  for (const [address, application] of returns) {
    if (!concerns(application) || !isWeb(new URL(address).protocol)) continue
    const { origin, pathname } = new URL(address)
    if (pathname === '/') continue
    const { byText, applications, depth }: Paths = byOrigin.get(origin) ?? none()
    const path = foldedPath(pathname)?.join('/')
    // Other spellings of a path that cannot be folded cannot be folded either, and are rejected.
    if (path) byText.set(path, application)
    applications.push(application)
    byOrigin.set(origin, { byText, applications, depth: Math.max(depth, partsOf(path ?? '')) })
  }
  return byOrigin
}

const hasRule = ({ signInMethods, registration }: Application): boolean => signInMethods.length > 0 || !registration

/** For a set that may be outdated: the result rejects disabled applications and accepts none. */
export const onlyRejecting = (set: ApplicationSet): ApplicationSet => ({
  version: set.version,
  hasDisabled: set.hasDisabled,
  ofReturnAddress(url) {
    const found = set.ofReturnAddress(url)
    return found?.application.isEnabled ? undefined : found
  },
  isBelowDisabled: set.isBelowDisabled,
  hasMethods: set.hasMethods,
  restrictedBelow: set.restrictedBelow,
  ofOrigin: () => undefined,
  ofKey: () => undefined,
  onHost: set.onHost,
  hasSecrets: set.hasSecrets,
  ofSecret: () => undefined,
})

type Address = StoredApplication['addresses'][number]

/**
 * Addresses on this machine count only while the application is marked as being developed. An address that was written
 * by hand in another form does not count, and must not keep the others from being read.
 */
const isServed = ({ isDevelopment }: StoredApplication, one: Address): boolean =>
  isValidAddress(one) && (isDevelopment || !one.address.startsWith('http:') || !isLocal(new URL(one.address)))

export const isValidAddress = ({ kind, address }: Address): boolean =>
  kind === 'origin' ? isOrigin(address) : returnAddressIn(address) === address

/** Parsing the URLs of thousands of addresses would delay the start. Addresses are in the form that URLs have. */
const originIn = (address: string): string => address.split('/', 3).join('/')

const partsOf = (text: string): number => text.split('/').length

/** Few applications share a host, so a list takes less memory than a map. */
function originsByHost(returns: Index): ReadonlyMap<string, readonly OriginOfApplication[]> {
  const hosts = new Map<string, OriginOfApplication[]>()
  const seen = new Set<string>()
  for (const [address, application] of returns) {
    const origin = originIn(address)
    if (seen.has(origin)) continue
    seen.add(origin)
    const { protocol, hostname } = new URL(address)
    if (!isWeb(protocol)) continue
    const known = hosts.get(hostname)
    if (known) known.push({ origin, application })
    else hosts.set(hostname, [{ origin, application }])
  }
  return hosts
}

export const isLocal = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)

const originsOf = (url: URL): string[] => {
  const local = onAnyPort(url)
  return local ? [url.origin, local.origin] : [url.origin]
}

/** A local address without a port covers all ports, because development servers choose theirs. */
function onAnyPort(url: URL): URL | undefined {
  if (!isLocal(url) || url.port === '') return undefined
  const copy = new URL(url)
  copy.port = ''
  return copy
}
