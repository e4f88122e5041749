import { randomFillSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { trustedProxy } from '../access/trusted-proxies.ts'

const length = 16
const bytes = Buffer.alloc(512 * 12)

/**
 * 96 random bits in base64url: an id tells nothing about the others, nor how many there were. Drawn for many at a time,
 * which costs less than counting.
 */
export function requestIds(): () => string {
  let drawn = ''
  let next = 0
  return () => {
    if (next === drawn.length) {
      drawn = randomFillSync(bytes).toString('base64url')
      next = 0
    }
    next += length
    return drawn.slice(next - length, next)
  }
}

type Request = Pick<IncomingMessage, 'socket' | 'headers'>

/** It is written to logs and audit events as it is. */
const acceptable = /^[\w.-]{1,64}$/

/** The id that a trusted proxy has given to the request, so that its log and ours name the same one; else a new one. */
export function requestIdOf(proxies: readonly string[], newId: () => string): (request: Request) => string {
  const isFromProxy = trustedProxy(proxies)
  return (request) => {
    const given = request.headers['x-request-id']
    const isKept = typeof given === 'string' && acceptable.test(given) && isFromProxy(request)
    return isKept ? given : newId()
  }
}
