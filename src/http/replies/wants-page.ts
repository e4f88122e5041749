import type { FastifyRequest } from 'fastify'

/**
 * Whether a link was opened by a person's browser, or by something that looks at links before a person does, rather
 * than by a program that asks for the result. Only the latter consumes a secret with a GET.
 */
export function wantsPage(request: FastifyRequest): boolean {
  if (isPrefetch(request)) return true
  if (asksForJson(request)) return false
  return !accepted(request).includes('application/json') || namesHtml(request)
}

/** Browsers name text/html whenever a person goes to an address. A script that fetches one sends another Accept header. */
export const namesHtml = (request: FastifyRequest): boolean => accepted(request).includes('text/html')

const accepted = ({ headers }: FastifyRequest): (string | undefined)[] =>
  (headers.accept ?? '').split(',').map((range) => range.split(';')[0]?.trim().toLowerCase())

/** `format=json` decides whatever the Accept header says, and for failures as well: also where the query is not valid. */
export const asksForJson = ({ query }: FastifyRequest): boolean =>
  [(query as { format?: unknown } | null)?.format].flat().includes('json')

/** HEAD, and requests that browsers and mail scanners make ahead of a click. */
export const isPrefetch = ({ method, headers }: FastifyRequest): boolean =>
  method === 'HEAD' ||
  headers.purpose !== undefined ||
  headers['sec-purpose'] !== undefined ||
  headers['x-purpose'] !== undefined ||
  headers['x-moz'] !== undefined
