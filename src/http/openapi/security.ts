import type { RouteAccess } from '../access/access.ts'

export const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Session-ID',
    description: 'The session token. With ALLOW_QUERY_SESSION, the query parameter `session_id` is also accepted.',
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'session_id',
    description: 'The session token in the cookie set at sign-in. SESSION_COOKIE_NAME changes the cookie name.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The session token in the Authorization header.',
  },
  key: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key in the Authorization header, on operations with `x-scope`.',
  },
  bridge: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Bridge-Secret',
    description: "A back end's shared secret.",
  },
} as const

type Requirement = Partial<Record<keyof typeof securitySchemes, never[]>>

const sessions: Requirement[] = [{ session: [] }, { sessionCookie: [] }, { bearer: [] }]

export function securityOf(access: RouteAccess): Requirement[] {
  const alternatives = sessionAlternatives(access)
  const withBridge = alternatives.map((one) => ({ bridge: [], ...one }))
  const all = { none: alternatives, optional: [...alternatives, ...withBridge], required: withBridge }[access.bridge]
  return all.length === 1 && Object.keys(all[0] ?? {}).length === 0 ? [] : all
}

function sessionAlternatives({ session, scope, unlessToken, onlyToLink }: RouteAccess): Requirement[] {
  if (session === 'none') return [{}]
  if (session === 'optional') return [{}, ...sessions]
  if (scope) return [...sessions, { key: [] }]
  return unlessToken || onlyToLink ? [...sessions, {}] : sessions
}
