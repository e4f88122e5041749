import type { FastifyRequest } from 'fastify'
import type { SessionSource, SessionView } from '../../context.ts'
import { type ErrorCode, invalidField } from '../../lib/errors.ts'
import { onlyCookie } from '../cookies/cookies.ts'

/** Whom a request speaks for, resolved once. */
export interface Auth extends SessionView {
  /** The value that the client holds. */
  sessionToken: string
  via: 'header' | 'query' | 'body' | 'cookie'
  source: SessionSource
}

/** Looks the credential up, or throws INVALID_SESSION or SESSION_EXPIRED. The sessions folder implements it. */
export type Authenticate = (sessionToken: string, how: HowToLook) => Promise<Omit<Auth, 'sessionToken' | 'via'>>

export interface HowToLook {
  /** `fresh`: the row itself, never a copy of it. */
  freshness: 'copy' | 'fresh'
  /** Whether the look-up is a use of the session, which moves its idle end. */
  countsAsUse: boolean
  /** Whether the address named it, where others may see it. */
  inAddress: boolean
}

export interface Credential {
  sessionToken: string
  via: Auth['via']
}

interface TransportOptions {
  ALLOW_QUERY_SESSION: boolean
  SESSION_COOKIE_NAME: string
}

/**
 * Headers, then query, then (where a route says so) body, then cookie: the first that is present and not empty decides,
 * also when it is invalid.
 */
export function credentialOf(
  request: FastifyRequest,
  options: TransportOptions,
  inBody: boolean,
): Credential | undefined {
  const header = sessionHeader(request)
  if (header) return { sessionToken: header, via: 'header' }
  const query = options.ALLOW_QUERY_SESSION ? sessionMember(request.query) : undefined
  if (query) return { sessionToken: query, via: 'query' }
  const body = inBody ? sessionMember(request.body) : undefined
  if (body) return { sessionToken: body, via: 'body' }
  const cookie = onlyCookie(request.headers.cookie, options.SESSION_COOKIE_NAME)
  return cookie ? { sessionToken: cookie, via: 'cookie' } : undefined
}

/**
 * X-Session-ID, else a session value in `Authorization: Bearer` (RFC 6750). Any other scheme or value there is meant for
 * another reader, such as a proxy, and names no session. Different values together are read as one that no session has:
 * nobody can say which of them a proxy before us has read.
 */
export function sessionHeader({ raw }: Pick<FastifyRequest, 'raw'>): string | undefined {
  const { 'x-session-id': own, authorization } = raw.headers
  const ownValue = typeof own === 'string' && own !== '' ? own : undefined
  if (authorization === undefined) return ownValue
  const values = new Set(ownValue === undefined ? [] : [ownValue])
  for (const line of authorizationLines(raw.rawHeaders)) {
    const value = bearerOfOurs.exec(line)?.[1]
    if (value !== undefined) values.add(value)
  }
  return values.size === 0 ? undefined : [...values].join(', ')
}

/**
 * What a 401 says to somebody who sent a bearer value (RFC 6750, 3). Nobody else gets a challenge, so that no browser asks
 * for a password.
 */
export function bearerChallenge({ raw }: Pick<FastifyRequest, 'raw'>, code: ErrorCode): string | undefined {
  if (raw.headers.authorization === undefined) return undefined
  const values = authorizationLines(raw.rawHeaders).flatMap((line) => {
    const [whole, value = ''] = /^bearer(?: +(.*))?$/i.exec(line) ?? []
    return whole === undefined ? [] : [value]
  })
  if (values.length === 0) return undefined
  return values.some(Boolean) && refusesSession.has(code) ? 'Bearer error="invalid_token"' : 'Bearer'
}

/** The codes of 401 that are about the session, not about a password or another secret. */
const refusesSession: ReadonlySet<ErrorCode> = new Set(['INVALID_SESSION', 'SESSION_EXPIRED', 'TWO_FACTOR_REQUIRED'])

/** The platform keeps the first one and hides the others. */
const authorizationLines = (given: readonly string[]): string[] =>
  given.filter((_, index) => index % 2 === 1 && given[index - 1]!.toLowerCase() === 'authorization')

/** The scheme in any case, the value in ours. */
const bearerOfOurs = /^[Bb][Ee][Aa][Rr][Ee][Rr] +(ses_.*)$/

/** The member in the spelling of the contract, or in the other one. */
function sessionMember(members: unknown): string | undefined {
  const { session_id, sessionId } = (members ?? {}) as Record<string, unknown>
  const value = session_id ?? sessionId
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw invalidField('session_id', 'must be a string')
  return value
}
