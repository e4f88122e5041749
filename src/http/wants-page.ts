import type { FastifyRequest } from 'fastify'

/**
 * Whether a link was opened by a person's browser, or by something that looks at links before a person does, rather
 * than by a program that asks for the result. Only the latter consumes a secret with a GET.
 */
export function wantsPage(request: FastifyRequest): boolean {
  if (isPrefetch(request)) return true
  const { format } = request.query as { format?: string }
  if (format === 'json') return false
  const accepted = (request.headers.accept ?? '').split(',').map((range) => range.split(';')[0]?.trim().toLowerCase())
  return !accepted.includes('application/json') || accepted.includes('text/html')
}

/** HEAD, and requests that browsers and mail scanners make ahead of a click. */
export const isPrefetch = ({ method, headers }: FastifyRequest): boolean =>
  method === 'HEAD' ||
  headers.purpose !== undefined ||
  headers['sec-purpose'] !== undefined ||
  headers['x-purpose'] !== undefined ||
  headers['x-moz'] !== undefined
