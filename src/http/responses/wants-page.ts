import type { FastifyRequest } from 'fastify'

/** Email scanners also open links, so GET consumes a token only for programs that request JSON. */
export function wantsPage(request: FastifyRequest): boolean {
  if (isPrefetch(request)) return true
  if (asksForJson(request)) return false
  return !accepted(request).includes('application/json') || namesHtml(request)
}

/** Browsers explicitly accept text/html for navigation, but not for requests by scripts. */
export const namesHtml = (request: FastifyRequest): boolean => accepted(request).includes('text/html')

const accepted = ({ headers }: FastifyRequest): (string | undefined)[] =>
  (headers.accept ?? '').split(',').map((range) => range.split(';')[0]?.trim().toLowerCase())

export const asksForJson = ({ query }: FastifyRequest): boolean =>
  [(query as { format?: unknown } | null)?.format].flat().includes('json')

/** Whether this is a HEAD request or a prefetch by a browser or an email scanner. */
export const isPrefetch = ({ method, headers }: FastifyRequest): boolean =>
  method === 'HEAD' ||
  headers.purpose !== undefined ||
  headers['sec-purpose'] !== undefined ||
  headers['x-purpose'] !== undefined ||
  headers['x-moz'] !== undefined
