import { BlockList, isIP, SocketAddress } from 'node:net'
import type { Settings } from './options.ts'
import type { Incoming } from './request.ts'

/** The visitor who sent a request. The service compares these values with those at sign-in (SESSION_BINDING). */
export interface EndUser {
  /** Absent unless `trustedProxies` is set. Empty if the address cannot be determined. */
  ip?: string | undefined
  user_agent: string
  /** Tells the service that the address is not compared, because `trustedProxies` is not set. */
  compare?: 'user_agent' | undefined
}

/** As long as the service stores. */
const maxAgentLength = 512

export function endUserOf({ trustedProxies }: Pick<Settings, 'trustedProxies'>, request: Incoming): EndUser {
  const user_agent = (request.header('user-agent') ?? '').slice(0, maxAgentLength)
  if (!trustedProxies) return { user_agent, compare: 'user_agent' }
  return {
    // Computed only if it is compared.
    get ip() {
      return addressOf(request, trustedProxies)
    },
    user_agent,
  }
}

/**
 * The last address in `X-Forwarded-For` that is not a trusted proxy's, because visitors can forge all addresses before
 * it. If a framework does not show the connection's address, the request must come from a trusted proxy; without any, the
 * address is unknown.
 */
function addressOf({ peer, header }: Incoming, proxies: TrustedProxies): string {
  const connected = peer === undefined ? undefined : (canonicalAddress(peer) ?? '')
  if (connected === undefined && proxies.size === 0) return ''
  if (connected === '' || (connected !== undefined && !proxies.has(connected))) return connected
  let last = connected ?? ''
  for (const hop of (header('x-forwarded-for') ?? '').split(',').reverse()) {
    const bare = hop
      .trim()
      .replace(/^\[(.*)\](?::\d+)?$/, '$1')
      .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    const address = canonicalAddress(bare)
    if (address === undefined) return last
    if (!proxies.has(address)) return address
    last = address
  }
  return last
}

/** As the service writes addresses: IPv4-mapped addresses as IPv4, and without a zone. */
function canonicalAddress(text: string): string | undefined {
  const bare = text.replace(/%.*$/, '')
  if (isIP(bare) !== 6) return isIP(bare) === 4 ? bare : undefined
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' })
  const [, dotted, high, low] = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/.exec(address) ?? []
  if (dotted !== undefined) return dotted
  if (high === undefined || low === undefined) return address
  const bits = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16)
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.')
}

export const isRange = (text: string): boolean => {
  const [address = '', prefix, ...rest] = text.split('/')
  const size = isIP(address) === 6 ? 128 : 32
  return (
    isIP(address) !== 0 &&
    rest.length === 0 &&
    (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= size))
  )
}

export type TrustedProxies = Pick<ReadonlySet<string>, 'has' | 'size'>

export function trustedPeers(ranges: readonly string[]): TrustedProxies {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    const isV6 = isIP(address) === 6
    list.addSubnet(address, Number(prefix ?? (isV6 ? 128 : 32)), isV6 ? 'ipv6' : 'ipv4')
  }
  return { size: ranges.length, has: (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') }
}
