import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CachedSession, Context } from '../context.ts'
import { bridge } from '../http/access/access.ts'
import { bearerChallenge, sessionHeader } from '../http/access/auth.ts'
import { asksForRedirect, isNavigation, originalAddress } from '../http/access/gateway-request.ts'
import type { RouteConfig } from '../http/access/route-rules.ts'
import { onlyCookie } from '../http/cookies/cookies.ts'
import { finalNewline } from '../http/replies/final-newline.ts'
import { sendPrepared } from '../http/replies/send-prepared.ts'
import type { Routes } from '../http/server/create-server.ts'
import { errorBody } from '../http/server/error-handler.ts'
import { AppError } from '../lib/errors.ts'
import { sha256 } from '../lib/hash.ts'
import { looksLikeSessionToken } from '../lib/ids.ts'
import { loadSession, recallSession } from './authenticate.ts'
import { gatewayHeaders, loginAddress } from './gateway-headers.ts'
import { VerifyByPostRoute, VerifyForPathRoute, VerifyRoute } from './schemas.ts'

const verifyPath = '/auth/verify'
/** For gateways that put a fixed text before the visitor's path. */
const pathPrefix = `${verifyPath}/for`

/**
 * /auth/verify, which a gateway asks for every request of its visitors. An answer from memory makes no promise and does no
 * I/O. Visitors without a session are normal here: they are no event, and cost neither a look-up nor an exception.
 */
export const gatewayRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const allowedText = `{"success":true}${finalNewline(ctx.config)}`
    const tokenOf = (request: FastifyRequest): string | undefined => {
      const value = sessionHeader(request) ?? onlyCookie(request.headers.cookie, ctx.config.SESSION_COOKIE_NAME)
      return value !== undefined && looksLikeSessionToken(value) ? value : undefined
    }
    const config: RouteConfig = {
      access: bridge,
      limit: 'bridge',
      // Otherwise one visitor without a session could use up the budget that all of them share.
      isFree: (request) => tokenOf(request) === undefined,
      prepared: true,
      forGateways: true,
    }

    const verify = (request: FastifyRequest, reply: FastifyReply) => {
      const sessionToken = tokenOf(request)
      if (sessionToken === undefined) return refuse(request, reply, 'INVALID_SESSION')
      const hash = sha256(sessionToken)
      const cached = recallSession(ctx, hash)
      return cached ? decide(cached, request, reply) : verifySlowly(hash, request, reply)
    }

    /** The session of an application is a stranger's to every other one: whoever holds it could pass as the user there. */
    function decide(cached: CachedSession, request: FastifyRequest, reply: FastifyReply): void {
      const { application } = cached.view.session
      if (application === null || application === applicationNamedBy(request)) allow(cached, reply)
      else refuse(request, reply, 'INVALID_SESSION')
    }

    function allow(cached: CachedSession, reply: FastifyReply): void {
      ctx.sessions.noteUse(cached, ctx.clock.now())
      cached.gatewayHeaders ??= gatewayHeaders(cached.view)
      sendPrepared(reply, allowedText, 200, cached.gatewayHeaders)
    }

    async function verifySlowly(hash: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      try {
        const { cached } = await loadSession(ctx, hash, 'copy')
        if (cached.view.session.status === 'pending') refuse(request, reply, 'TWO_FACTOR_REQUIRED')
        else decide(cached, request, reply)
      } catch (error) {
        if (!(error instanceof AppError && error.status === 401)) throw error
        refuse(request, reply, 'INVALID_SESSION')
      }
      return reply
    }

    /** To a gateway every refusal says the same: nobody is signed in. */
    function refuse(
      request: FastifyRequest,
      reply: FastifyReply,
      code: 'INVALID_SESSION' | 'TWO_FACTOR_REQUIRED',
    ): void {
      const prefix = request.routeOptions.url === verifyPath ? undefined : pathPrefix
      const login = isNavigation(request) ? loginAddress(ctx, originalAddress(request, prefix)) : undefined
      const body = errorBody(new AppError(code, { sentence: 'Invalid session' }), request.id)
      const text = JSON.stringify(body) + finalNewline(ctx.config)
      if (login !== undefined && asksForRedirect(request, prefix === undefined)) {
        sendPrepared(reply, text, 302, ['location', login])
        return
      }
      const challenge = bearerChallenge(request, code)
      sendPrepared(reply, text, 401, [
        ...(login === undefined ? [] : ['x-auth-login', login]),
        ...(challenge === undefined ? [] : ['www-authenticate', challenge]),
      ])
    }

    /** Behind the prefix the query is the visitor's, who must not choose. */
    const applicationNamedBy = ({ routeOptions, query }: FastifyRequest): string | undefined =>
      routeOptions.url === verifyPath ? (query as { application?: string }).application : undefined

    http.get(verifyPath, { schema: VerifyRoute, config }, verify)
    http.post(verifyPath, { schema: VerifyByPostRoute, config }, verify)
    // Otherwise it would be answered as the question of a browser, to anybody and by 200, which lets a request in.
    http.options(verifyPath, { schema: VerifyForPathRoute, config: { ...config, hidden: true } }, verify)
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const)
      http.route({
        method,
        url: `${pathPrefix}*`,
        schema: VerifyForPathRoute,
        config: { ...config, hidden: true },
        handler: verify,
      })
  }
