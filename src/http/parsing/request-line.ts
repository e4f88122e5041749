import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AppError, invalidField } from '../../lib/errors.ts'

/** Rejects requests whose host or length a proxy could interpret differently (RFC 9112, 2.3, 3.2 and 6.1). */
export function assertRequestLine({ raw }: FastifyRequest, reply: FastifyReply): void {
  const rejection = ambiguityIn(raw.httpVersion, raw.headers, raw.rawHeaders)
  if (rejection) {
    reply.raw.shouldKeepAlive = false
    throw rejection
  }
  if ((raw.url ?? '').length > 8192) throw invalidField('url', 'must have at most 8192 characters')
}

function ambiguityIn(version: string, headers: FastifyRequest['headers'], input: string[]): AppError | undefined {
  if (!version.startsWith('1.')) return invalidField('request', 'is not valid HTTP/1.1')
  if (headers.host === undefined && version !== '1.0') return invalidField('host', 'is required')
  if (isRepeated('host', input)) return invalidField('host', 'must be given once')
  if (version === '1.0' && headers['transfer-encoding'] !== undefined)
    return invalidField('transfer-encoding', 'is not supported in HTTP/1.0')
  return undefined
}

/** Node.js keeps only the first of repeated Host headers. */
function isRepeated(name: string, input: string[]): boolean {
  let count = 0
  for (let index = 0; index < input.length; index += 2) {
    const one = input[index]!
    if (one.length === name.length && one.toLowerCase() === name) count++
  }
  return count > 1
}
