import type { FastifyRequest } from 'fastify'
import { invalidField } from '../lib/errors.ts'

/** What the first lines of a request must be (RFC 9112, 2.3 and 3.2), and how long its address may be. */
export function assertRequestLine({ raw }: FastifyRequest): void {
  if (!raw.httpVersion.startsWith('1.')) throw invalidField('request', 'is not valid HTTP/1.1')
  if (raw.headers.host === undefined && raw.httpVersion !== '1.0') throw invalidField('host', 'is required')
  if ((raw.url ?? '').length > 8192) throw invalidField('url', 'must have at most 8192 characters')
}
