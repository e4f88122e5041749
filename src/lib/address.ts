import { BlockList, isIP, SocketAddress } from 'node:net'

/** Converts an IPv4-mapped IPv6 address to IPv4 and removes the zone. Returns undefined for an invalid address. */
export function canonicalAddress(text: string): string | undefined {
  const bare = text.replace(/%.*$/, '')
  const family = isIP(bare)
  if (family === 0) return undefined
  if (family === 4) return bare
  const address = new SocketAddress({ address: bare, family: 'ipv6' }).address
  const mapped = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/.exec(address)
  if (!mapped) return address
  if (mapped[1]) return mapped[1]
  const high = Number.parseInt(mapped[2] ?? '0', 16)
  const low = Number.parseInt(mapped[3] ?? '0', 16)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Shortens an IPv6 address to its /64 prefix, because providers assign at least a /64 to each customer. */
export function addressKey(address: string): string {
  if (isIP(address) !== 6) return address
  return `${expandIpv6(address).slice(0, 4).join(':')}::/64`
}

function expandIpv6(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const left = head ? head.split(':') : []
  if (tail === undefined) return left
  const right = tail ? tail.split(':') : []
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
}

/** The ranges are in CIDR notation (RFC 4632). */
export function trustedPeers(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    const type = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, prefix === undefined ? (type === 'ipv6' ? 128 : 32) : Number(prefix), type)
  }
  return (address) => ranges.length > 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

export function isRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 6 ? 128 : 32))
}

const loopback = trustedPeers(['127.0.0.0/8', '::1/128'])

export const isLoopback = (address: string): boolean => loopback(address)

/** The host of a URL, without the brackets around IPv6 addresses. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

export function isLoopbackUrl(url: URL): boolean {
  const host = hostOf(url)
  return host === 'localhost' || isLoopback(host)
}

// The IANA special-purpose ranges. A public DNS name may resolve to a private host or a metadata service in these
// ranges. IPv4 and IPv6 have separate lists because ::/3 in a common list would match every IPv4 address.
const special4 = trustedPeers([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
])
// All IPv6 addresses outside global unicast, and the special-purpose ranges within it.
const special6 = trustedPeers([
  ...['::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
])

export function isPublicAddress(text: string): boolean {
  const address = canonicalAddress(text)
  if (address === undefined) return false
  return isIP(address) === 6 ? !special6(address) : !special4(address)
}

/** Whether the host is an IP address that is not public. Host names are checked when they are resolved. */
export function hasPrivateAddress(url: URL): boolean {
  const host = hostOf(url)
  return isIP(host) !== 0 && !isPublicAddress(host)
}
