import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/errors.ts'
import { clearSessionCookie, clearUselessCookie, sessionCookies } from '../cookies/session-cookie.ts'
import type { HttpEdge } from '../server/edge.ts'
import { isPrivileged } from './access.ts'
import { credentialOf, type RequestAuth, type SessionCredential } from './auth.ts'
import { comesFromOurPages } from './origins.ts'
import { usesBridgeSecret } from './request-limits.ts'
import type { RouteRule } from './route-rules.ts'

export async function authenticateRequest(
  edge: HttpEdge,
  rule: RouteRule,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<RequestAuth | undefined> {
  const credential =
    credentialOf(request, edge.ctx.config, rule.sessionInBody) ??
    (rule.clearsCookie ? await anyCookie(edge, request) : undefined)
  try {
    if (!credential) throw new AppError('INVALID_SESSION')
    // Writes and privileged requests must not rely on a cached session.
    const freshness = isSafe(request.method) && !isPrivileged(rule.access) ? 'copy' : 'fresh'
    const inAddress = credential.via === 'query'
    const found = await edge.authenticate(credential.sessionToken, {
      freshness,
      countsAsUse: rule.countsAsUse,
      inAddress,
      // Signing out only takes access away.
      caller: rule.clearsCookie ? undefined : { request, isBackEnd: usesBridgeSecret(rule, request) },
      backEnd: request.bridgeSecret?.application,
    })
    return { ...found, ...credential }
  } catch (error) {
    const isRejection = error instanceof AppError && error.status === 401
    if (isRejection && rule.access.session === 'optional') return undefined
    if (isRejection && losesCookie(edge, rule, request, credential)) {
      if (rule.clearsCookie) clearSessionCookie(reply, edge.ctx.config)
      else clearUselessCookie(request, reply, edge.ctx.config)
    }
    throw error
  }
}

async function anyCookie(edge: HttpEdge, request: FastifyRequest): Promise<SessionCredential | undefined> {
  for (const sessionToken of sessionCookies(request, edge.ctx.config)) {
    const how = {
      freshness: 'fresh',
      countsAsUse: false,
      inAddress: false,
      caller: undefined,
      backEnd: request.bridgeSecret?.application,
    } as const
    const found = await edge.authenticate(sessionToken, how).catch(unlessRejected)
    if (found) return { sessionToken, via: 'cookie' }
  }
  return undefined
}

function unlessRejected(error: unknown): undefined {
  if (!(error instanceof AppError && error.status === 401)) throw error
}

/** Without `clearsCookie`, the cookie is cleared only if its session was rejected. */
function losesCookie(
  edge: HttpEdge,
  rule: RouteRule,
  { headers }: FastifyRequest,
  credential: SessionCredential | undefined,
) {
  if (rule.clearsCookie) return comesFromOurPages(headers, edge.origins)
  const namesCookie = headers.cookie?.includes(`${edge.ctx.config.SESSION_COOKIE_NAME}=`)
  return namesCookie && (!credential || credential.via === 'cookie')
}

export const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
