import type { IncomingMessage } from 'node:http'
import { canonicalAddress, trustedPeers } from '../../lib/address.ts'

type Request = Pick<IncomingMessage, 'socket' | 'headers'>

const peerOf = ({ socket }: Request): string => canonicalAddress(socket.remoteAddress ?? '') ?? 'unknown'

/** Whether the socket's peer is one of the proxies. */
export function trustedProxy(ranges: readonly string[]): (request: Request) => boolean {
  const isTrusted = trustedPeers(ranges)
  return (request) => isTrusted(peerOf(request))
}

/**
 * The client's address: the socket's peer, or, when the peer is a trusted proxy, the right-most entry of
 * X-Forwarded-For that is none. Whatever a client prepends to that header stays to the left of it.
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
    // What is no address is no key of its own: the hop that reported it answers for it.
    if (address === undefined) return last
    if (!isTrusted(address)) return address
    last = address
  }
  return last
}
