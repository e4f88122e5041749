import { randomFillSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { trustedProxy } from '../access/trusted-proxies.ts'

const length = 16
const bytes = Buffer.alloc(512 * 12)

/** 96 random bits in base64url. Ids are generated in batches, which is faster than a counter. */
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

/** Ids that do not match are ignored, because ids are written to logs and audit events. */
const acceptable = /^[\w.-]{1,64}$/

/** Uses the id from a trusted proxy so that the proxy's and the service's logs contain the same id. */
export function requestIdOf(proxies: readonly string[], newId: () => string): (request: Request) => string {
  const isFromProxy = trustedProxy(proxies)
  return (request) => {
    const input = request.headers['x-request-id']
    const isKept = typeof input === 'string' && acceptable.test(input) && isFromProxy(request)
    return isKept ? input : newId()
  }
}
