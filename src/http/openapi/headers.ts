import type { KnownRoute } from '../server/route-table.ts'

declare module 'fastify' {
  interface FastifySchema {
    sessionCookie?: 'set' | 'cleared'
  }
}

const integer = { type: 'integer' } as const
const text = { type: 'string' } as const

export const headers = {
  'X-Request-Id': { description: 'The request id in the log.', schema: text },
  'X-RateLimit-Limit': { description: 'Maximum number of requests per window.', schema: integer },
  'X-RateLimit-Remaining': { description: 'Remaining requests in the current window.', schema: integer },
  'X-RateLimit-Reset': { description: 'Unix time in seconds at which the window ends.', schema: integer },
  'Retry-After': { description: 'Seconds to wait before retrying.', schema: integer },
  'WWW-Authenticate': {
    description: 'Only for requests with `Authorization: Bearer` (RFC 6750).',
    schema: text,
  },
  'Set-Cookie': {
    description: 'Sets or clears the session cookie if the request comes from an allowed origin.',
    schema: text,
  },
  Location: { description: 'URL the browser is redirected to.', schema: text },
  Deprecation: { description: 'Time at which the URL is deprecated (RFC 9745).', schema: text },
  Link: { description: 'The URL that replaces this one, with the relation `successor-version`.', schema: text },
}

type Name = keyof typeof headers

const always: Name[] = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

export function headersOf(
  route: KnownRoute | undefined,
  kind: 'success' | 'redirect' | 'error' | 'challenge' | 'retry',
) {
  const names: Name[] = [
    ...always,
    ...(kind === 'retry' ? (['Retry-After'] as const) : []),
    ...(kind === 'challenge' ? (['WWW-Authenticate'] as const) : []),
    ...(kind === 'redirect' ? (['Location'] as const) : []),
    ...(route?.schema.sessionCookie || route?.rule.clearsCookie ? (['Set-Cookie'] as const) : []),
    ...(kind === 'success' && route?.schema.deprecated ? (['Deprecation', 'Link'] as const) : []),
  ]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
