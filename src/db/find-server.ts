import { type DatabaseAddress, type DatabaseHost, hostName } from '../config/database-address.ts'
import { NoSuitableServer } from './errors.ts'

/** In milliseconds. If a host has not responded within this time, the next one is tried in parallel. */
const nextHostAfter = 300

/** Rejects with the reason if the host does not qualify. */
export type TryHost = (host: DatabaseHost) => Promise<void>

export interface ServerFinder {
  /** The host for a new connection. Undefined if the URI lists only one host, which the driver reads from the URI. */
  find(): Promise<DatabaseHost | undefined>
  /** Whether another server has been found since `find` returned this host. */
  hasMovedFrom(host: DatabaseHost): boolean
  /** Makes the next connection search again. */
  forget(): void
}

/** Remembers the server that was found so that new connections do not first try hosts that are down. */
export function serverFinder(address: DatabaseAddress, tryHost: TryHost, onMove: () => void): ServerFinder {
  if (address.hosts.length === 1) return { find: async () => undefined, hasMovedFrom: () => false, forget() {} }
  let current: DatabaseHost | undefined
  let last: DatabaseHost | undefined
  let searching: Promise<DatabaseHost> | undefined
  const search = async () => {
    // A former primary that comes back and accepts writes must not be chosen only because it is listed first.
    const hosts = address.hosts.toSorted((a, b) => Number(b === last) - Number(a === last))
    const found = await firstSuitable({ ...address, hosts }, tryHost)
    const hasMoved = last !== undefined && found !== last
    current = found
    last = found
    if (hasMoved) onMove()
    return found
  }
  return {
    async find() {
      if (current) return current
      searching ??= search().finally(() => {
        searching = undefined
      })
      return searching
    },
    hasMovedFrom: (host) => host !== last,
    forget() {
      current = undefined
    },
  }
}

function firstSuitable({ hosts, target }: DatabaseAddress, tryHost: TryHost): Promise<DatabaseHost> {
  const { promise, resolve, reject } = Promise.withResolvers<DatabaseHost>()
  const reasons = new Map<DatabaseHost, string>()
  const waiting = [...hosts]
  let isFound = false
  const tryNext = () => {
    const host = isFound ? undefined : waiting.shift()
    if (!host) return
    const timer = setTimeout(tryNext, nextHostAfter)
    const fits = () => {
      isFound = true
      resolve(host)
    }
    const failed = (error: unknown) => {
      reasons.set(host, reasonOf(error))
      if (reasons.size === hosts.length) reject(noSuitableServer(hosts, reasons, target))
      else tryNext()
    }
    tryHost(host)
      .then(fits, failed)
      .finally(() => clearTimeout(timer))
  }
  tryNext()
  return promise
}

/** If a host name has several addresses, the error contains one error per address. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}

function noSuitableServer(
  hosts: readonly DatabaseHost[],
  reasons: ReadonlyMap<DatabaseHost, string>,
  target: DatabaseAddress['target'],
): NoSuitableServer {
  const list = hosts.map((host) => `${hostName(host)}: ${reasons.get(host)}`).join('; ')
  return new NoSuitableServer(`No server of DATABASE_URL is usable (target_session_attrs=${target}). ${list}`)
}
