import type { FastifyRequest } from 'fastify'

/** Scanners open links too, so only programs that want the result may consume a secret with GET. */
export function wantsPage(request: FastifyRequest): boolean {
  if (isPrefetch(request)) return true
  if (asksForJson(request)) return false
  return !accepted(request).includes('application/json') || namesHtml(request)
}

/** Browsers send text/html when navigating; scripts do not. */
export const namesHtml = (request: FastifyRequest): boolean => accepted(request).includes('text/html')

const accepted = ({ headers }: FastifyRequest): (string | undefined)[] =>
  (headers.accept ?? '').split(',').map((range) => range.split(';')[0]?.trim().toLowerCase())

export const asksForJson = ({ query }: FastifyRequest): boolean =>
  [(query as { format?: unknown } | null)?.format].flat().includes('json')

/** HEAD, and prefetches by browsers and mail scanners. */
export const isPrefetch = ({ method, headers }: FastifyRequest): boolean =>
  method === 'HEAD' ||
  headers.purpose !== undefined ||
  headers['sec-purpose'] !== undefined ||
  headers['x-purpose'] !== undefined ||
  headers['x-moz'] !== undefined
