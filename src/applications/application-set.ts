import type { Application, ApplicationSet, MatchedAddress } from '../context.ts'
import type { AddressKind } from '../db/rows/applications.ts'
import { isBelow, isOrigin, isWeb, returnAddressIn } from '../lib/return-address.ts'

export interface StoredApplication extends Application {
  readonly isDevelopment: boolean
  readonly addresses: readonly { kind: AddressKind; address: string }[]
}

/** Addresses are found by their origin, so the time does not depend on the number of applications on other origins. */
export function createApplicationSet(version: number, applications: readonly StoredApplication[]): ApplicationSet {
  const returns = indexed(applications, 'return')
  const origins = indexed(applications, 'origin')
  const hosts = new Map([...returns.values()].flat().map(({ application, address }) => [hostOf(address), application]))

  return {
    version,
    hasDisabled: applications.some(({ isEnabled }) => !isEnabled),
    ofReturnAddress(url) {
      if (!isWeb(url.protocol)) {
        const scheme = `${url.protocol}//`
        return url.href.startsWith(scheme) ? returns.get(scheme)?.[0] : undefined
      }
      const covering = (origin: string, seen: URL) => returns.get(origin)?.find(({ address }) => isBelow(seen, address))
      const exact = covering(url.origin, url)
      if (exact) return exact
      const local = onAnyPort(url)
      return local && covering(local.origin, local)
    },
    onHost: (hostname) => hosts.get(hostname),
    ofOrigin(origin) {
      const exact = origins.get(origin)?.[0]
      if (exact) return exact.application
      const url = URL.parse(origin)
      const local = url?.origin === origin ? onAnyPort(url) : undefined
      return local && origins.get(local.origin)?.[0]?.application
    },
  }
}

type Index = ReadonlyMap<string, readonly MatchedAddress[]>

/** By origin or app scheme. The longest address comes first, because it is the closest match. */
function indexed(applications: readonly StoredApplication[], kind: AddressKind): Index {
  const all = applications.flatMap((application) =>
    application.addresses
      .filter((one) => one.kind === kind && isServed(application, one))
      .map(({ address }) => ({ application, address })),
  )
  all.sort((one, other) => other.address.length - one.address.length)
  return Map.groupBy(all, ({ address }) => originOrScheme(address))
}

/** For a set that may be outdated: the result rejects disabled applications and accepts none. */
export const onlyRejecting = (set: ApplicationSet): ApplicationSet => ({
  version: set.version,
  hasDisabled: set.hasDisabled,
  ofReturnAddress(url) {
    const found = set.ofReturnAddress(url)
    return found?.application.isEnabled ? undefined : found
  },
  ofOrigin: () => undefined,
  onHost: set.onHost,
})

type Address = StoredApplication['addresses'][number]

/**
 * Addresses on this machine count only while the application is marked as being developed. An address that was written
 * by hand in another form does not count, and must not keep the others from being read.
 */
const isServed = ({ isDevelopment }: StoredApplication, { kind, address }: Address): boolean => {
  const isValid = kind === 'origin' ? isOrigin(address) : returnAddressIn(address) === address
  return isValid && (isDevelopment || !isLocal(new URL(address)))
}

const originOrScheme = (address: string): string => {
  const { protocol, origin } = new URL(address)
  return isWeb(protocol) ? origin : address
}

const hostOf = (address: string): string => new URL(address).hostname

export const isLocal = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)

/** A local address without a port covers all ports, because development servers choose theirs. */
function onAnyPort(url: URL): URL | undefined {
  if (!isLocal(url) || url.port === '') return undefined
  const copy = new URL(url)
  copy.port = ''
  return copy
}
