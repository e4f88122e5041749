import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../../lib/address.ts'

const proxyHeaders = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
  'cf-connecting-ip',
  'true-client-ip',
]

/** Detects proxies by their headers, and DNS rebinding by the Host header. */
export const isLocalCaller = ({ socket, headers }: FastifyRequest, publicUrl: string): boolean =>
  isLoopback(socket.remoteAddress ?? '') &&
  !proxyHeaders.some((name) => name in headers) &&
  isLocalName(headers.host, publicUrl)

function isLocalName(host: string | undefined, publicUrl: string): boolean {
  if (host === new URL(publicUrl).host) return true
  const name = (host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || (isIP(name) !== 0 && isLoopback(name))
}
