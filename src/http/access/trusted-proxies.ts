import type { IncomingMessage } from 'node:http'
import { canonicalAddress, trustedPeers } from '../../lib/address.ts'

type Request = Pick<IncomingMessage, 'socket' | 'headers'>

const peerOf = ({ socket }: Request): string => canonicalAddress(socket.remoteAddress ?? '') ?? 'unknown'

export function trustedProxy(ranges: readonly string[]): (request: Request) => boolean {
  const isTrusted = trustedPeers(ranges)
  return (request) => isTrusted(peerOf(request))
}

/**
 * Returns the peer's address or, behind trusted proxies, the last untrusted X-Forwarded-For entry, which clients cannot
 * forge.
 */
export function clientAddress(ranges: readonly string[]): (request: Request) => string {
  const isTrusted = trustedPeers(ranges)
  return (request) => {
    const peer = peerOf(request)
    const header = request.headers['x-forwarded-for']
    if (!isTrusted(peer) || header === undefined) return peer
    const hops = String(header)
      .split(',')
      .map((hop) => hop.trim())
    return lastUntrusted(hops, isTrusted, peer)
  }
}

function lastUntrusted(hops: string[], isTrusted: (address: string) => boolean, peer: string): string {
  let last = peer
  for (const hop of hops.toReversed()) {
    const address = canonicalAddress(
      hop.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1'),
    )
    // If an entry is not an IP address, the proxy that added it counts as the client.
    if (address === undefined) return last
    if (!isTrusted(address)) return address
    last = address
  }
  return last
}
