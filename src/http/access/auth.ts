import type { FastifyRequest } from 'fastify'
import type { Application, RoleSet, SessionSource, SessionView } from '../../context.ts'
import { type ErrorCode, invalidField, sessionPending } from '../../lib/errors.ts'
import { onlyCookie } from '../cookies/cookies.ts'
import { authorizationOf } from './authorization.ts'

export interface RequestAuth extends SessionView {
  sessionToken: string
  via: 'header' | 'query' | 'body' | 'cookie'
  source: SessionSource
  /** The roles that belong to the grants of the session. */
  roles?: RoleSet
}

/** Throws INVALID_SESSION or SESSION_EXPIRED. Implemented in `sessions`. */
export type AuthenticateSession = (
  sessionToken: string,
  how: HowToLook,
) => Promise<Omit<RequestAuth, 'sessionToken' | 'via'>>

export interface HowToLook {
  freshness: 'copy' | 'fresh'
  countsAsUse: boolean
  /** Whether the session token was in the URL, which proxies and servers may log. */
  inAddress: boolean
  /** Undefined if the session is accepted from every IP address and user agent. */
  caller: Caller | undefined
  /** The application whose bridge secret was sent. Sessions of others do not exist for it. */
  backEnd: Application | undefined
}

export interface Caller {
  request: FastifyRequest
  /** The request was sent by a back end with the bridge secret, which describes the end user in headers. */
  isBackEnd: boolean
}

export interface SessionCredential {
  sessionToken: string
  via: RequestAuth['via']
}

interface TransportOptions {
  ALLOW_QUERY_SESSION: boolean
  SESSION_COOKIE_NAME: string
}

/**
 * Looks for the session token in the headers, the query, the body (if the route allows it) and the cookie, in this
 * order.
 */
export function credentialOf(
  request: FastifyRequest,
  options: TransportOptions,
  inBody: boolean,
): SessionCredential | undefined {
  const header = sessionHeader(request)
  if (header) return { sessionToken: header, via: 'header' }
  const query = options.ALLOW_QUERY_SESSION ? sessionMember(request.query) : undefined
  if (query) return { sessionToken: query, via: 'query' }
  const body = inBody ? sessionMember(request.body) : undefined
  if (body) return { sessionToken: body, via: 'body' }
  const cookie = onlyCookie(request.headers.cookie, options.SESSION_COOKIE_NAME)
  return cookie ? { sessionToken: cookie, via: 'cookie' } : undefined
}

/** RFC 6750. Bearer values that are not session tokens are ignored. Two different session tokens are rejected. */
export function sessionHeader(request: Pick<FastifyRequest, 'raw'>): string | undefined {
  const { 'x-session-id': own, authorization } = request.raw.headers
  const ownValue = typeof own === 'string' && own !== '' ? own : undefined
  if (authorization === undefined) return ownValue
  const values = new Set(ownValue === undefined ? [] : [ownValue])
  for (const value of authorizationOf(request, 'bearer')) if (value.startsWith('ses_')) values.add(value)
  return values.size === 0 ? undefined : [...values].join(', ')
}

/**
 * RFC 6750, 3. The challenge is sent only if the request uses the Bearer scheme, because browsers may react to a
 * challenge with a password prompt.
 */
export function bearerChallenge(request: Pick<FastifyRequest, 'raw'>, code: ErrorCode): string | undefined {
  const values = authorizationOf(request, 'bearer')
  if (values.length === 0) return undefined
  return values.some(Boolean) && rejectsSession.has(code) ? 'Bearer error="invalid_token"' : 'Bearer'
}

/** 401 codes that apply to the session or key rather than to a password or another secret. */
const rejectsSession: ReadonlySet<ErrorCode> = new Set([
  'INVALID_SESSION',
  'SESSION_EXPIRED',
  sessionPending,
  'INVALID_CREDENTIAL',
  'KEY_PAUSED',
])

function sessionMember(members: unknown): string | undefined {
  const { session_id, sessionId } = (members ?? {}) as Record<string, unknown>
  const value = session_id ?? sessionId
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw invalidField('session_id', 'must be a string')
  return value
}
