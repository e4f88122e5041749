import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CachedSession, Context, FoundSession } from '../context.ts'
import { bridge } from '../http/access/access.ts'
import { bearerChallenge, sessionHeader } from '../http/access/auth.ts'
import { asksForRedirect, isNavigation, originalAddress, visitedPages } from '../http/access/gateway-request.ts'
import type { RouteConfig } from '../http/access/route-rules.ts'
import { trustedProxy } from '../http/access/trusted-proxies.ts'
import { isVisibleTo } from '../http/access/visible-session.ts'
import { onlyCookie } from '../http/cookies/cookies.ts'
import { isOfDisabledApplication } from '../http/responses/redirects.ts'
import { finalNewline, sendPrepared } from '../http/responses/send-prepared.ts'
import { rulesAt } from '../http/responses/sign-in-rules.ts'
import { errorBody } from '../http/server/error-handler.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { AppError, sessionPending } from '../lib/errors.ts'
import { sha256 } from '../lib/hash.ts'
import { looksLikeSessionToken } from '../lib/ids.ts'
import { rememberLast } from '../lib/remember-last.ts'
import { loadSession, recallSession } from './authenticate.ts'
import type { Door } from './binding.ts'
import { effectiveRoles } from './effective-roles.ts'
import { gatewayHeaders, loginAddress } from './gateway-headers.ts'
import {
  acceptedKinds,
  asksForRoles,
  demandsOf,
  type GatewayQuery,
  keyDemandsIn,
  missingRight,
  type VerifyKey,
} from './gateway-query.ts'
import { GatewayByOptionsRoute, GatewayByPostRoute, GatewayForPathRoute, GatewayRoute } from './gateway-schemas.ts'

const verifyPath = '/auth/verify'
const permissionsHeader = 'x-auth-permissions'
const door: Door = {
  name: `GET ${verifyPath}`,
  needs: "the visitor's User-Agent and X-Forwarded-For headers, and list the gateway in TRUSTED_PROXIES",
}
/** The path prefix for gateways that append the visitor's path. */
const pathPrefix = `${verifyPath}/for`

/**
 * Gateways call these routes for every request, so cached sessions are served without I/O. Requests without a valid
 * session are not audited.
 */
export const gatewayRoutes =
  (createVerification: (ctx: Context) => VerifyKey) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const verifyKey = createVerification(ctx)
    const allowedText = `{"success":true}${finalNewline(ctx.config)}`
    const tokenOf = rememberLast((request: FastifyRequest): string | undefined => {
      const value = sessionHeader(request) ?? onlyCookie(request.headers.cookie, ctx.config.SESSION_COOKIE_NAME)
      return value !== undefined && looksLikeSessionToken(value) ? value : undefined
    })
    const config: RouteConfig = {
      access: bridge,
      limit: 'bridge',
      // Requests without a session are not limited, because they would use up the limit that all visitors share.
      isFree: (request) => tokenOf(request) === undefined,
      prepared: true,
      forGateways: true,
    }
    // A misspelt `permission` would demand nothing.
    const strict: RouteConfig = { ...config, strictQuery: true }

    const verify = (query: GatewayQuery, request: FastifyRequest, reply: FastifyReply) => {
      const accept = acceptedKinds(query)
      const key = accept && verifyKey(request, { accept, ...keyDemandsIn(query), address: visitorOf(request) })
      if (key) return respondToKey(key, request, reply)
      if (accept && !accept.includes('session')) return reject(request, reply, 'INVALID_SESSION')
      const sessionToken = tokenOf(request)
      if (sessionToken === undefined) return reject(request, reply, 'INVALID_SESSION')
      const hash = sha256(sessionToken)
      const waiting = ctx.applications.whenCurrent()
      const cached = waiting ? undefined : recallSession(ctx, hash)
      if (!cached) return verifySlowly(loadFor(hash, query, request, waiting), query, request, reply)
      const found = { cached, source: 'memory', roles: ctx.applicationRoles.current() } as const
      const checked = check(cached, query, request)?.then(() => found)
      return checked ? verifySlowly(checked, query, request, reply) : decide(found, query, request, reply)
    }

    const isTrusted = trustedProxy(ctx.config.TRUSTED_PROXIES)
    /** The gateway's own IP address says nothing about its visitor. */
    const visitorOf = (request: FastifyRequest): string | undefined =>
      request.headers['x-forwarded-for'] !== undefined && isTrusted(request.raw) ? request.clientAddress : undefined

    const check = (cached: CachedSession, query: GatewayQuery, request: FastifyRequest) => {
      const { view } = cached
      if (ctx.config.SESSION_BINDING === 'off' || !isAcceptedHere(cached, query, request)) return undefined
      const { 'user-agent': user_agent } = request.headers
      const ip = visitorOf(request)
      if (ctx.config.SESSION_BINDING === 'log') return ctx.binding.check(view, { ip, user_agent }, door, request)
      // A visitor may have no user agent, but always has an address.
      const visitor = ip === undefined ? {} : { ip, user_agent: user_agent ?? '' }
      return ctx.binding.check(view, visitor, door, request)
    }

    /** Rejects other applications' sessions, because those applications could impersonate the user here. */
    function decide(found: FoundSession, query: GatewayQuery, request: FastifyRequest, reply: FastifyReply): void {
      const { cached } = found
      // Both only reject, so an outdated set need not be told from a current one.
      const { hasDisabled, hasMethods } = ctx.applications.latest()
      if (cached.isImpersonated) forbid(new AppError('IMPERSONATED'), request, reply)
      else if (hasDisabled && isForDisabled(request)) forbid(disabled(), request, reply)
      else if (!isAcceptedHere(cached, query, request)) reject(request, reply, 'INVALID_SESSION')
      else if (hasMethods && !isAcceptedByPages(cached, request)) reject(request, reply, 'INVALID_SESSION')
      else if (!isVisibleTo(request.bridgeSecret?.application, cached.view)) {
        // The page is of another application, so the sign-in page would let the visitor return at once.
        forbid(
          new AppError('FORBIDDEN', { sentence: 'This application requires another way to sign in' }),
          request,
          reply,
        )
      } else allow(found, query, request, reply)
    }

    /**
     * For impersonation, which applications behind a gateway cannot detect, and for disabled applications. Gateways get
     * 403, which causes no redirect, because another sign-in would not help.
     */
    function forbid(error: AppError, request: FastifyRequest, reply: FastifyReply): void {
      sendPrepared(reply, JSON.stringify(errorBody(error, request.id)) + finalNewline(ctx.config), 403)
    }

    /** Behind a gateway, an application is identified by the address of the visitor's page. */
    function isForDisabled(request: FastifyRequest): boolean {
      const pages = visitedPages(request, isForPath(request) ? pathPrefix : undefined)
      return !pages || pages.some((page) => isOfDisabledApplication(ctx, page))
    }

    /** The visitor is asked to sign in again if the page's application does not accept the way in which the session began. */
    function isAcceptedByPages({ view }: CachedSession, request: FastifyRequest): boolean {
      const pages = visitedPages(request, isForPath(request) ? pathPrefix : undefined)
      return pages?.every((page) => rulesAt(ctx, page).accepts(view.session.sign_in_method)) === true
    }

    function allow(found: FoundSession, query: GatewayQuery, request: FastifyRequest, reply: FastifyReply): void {
      const { cached } = found
      const { permissions, accept } = query
      const roles = asksForRoles(query) ? effectiveRoles(found, request.bridgeSecret) : undefined
      const lacking = missingRight(ctx, cached.view, roles, query)
      if (lacking) {
        forbid(lacking, request, reply)
        return
      }
      ctx.sessions.noteUse(cached, ctx.clock.now())
      cached.gatewayHeaders ??= gatewayHeaders(cached.view)
      let headers = cached.gatewayHeaders
      const header = permissions === true ? (roles ? roles.header : '') : undefined
      if (header !== undefined) headers = headers.concat(permissionsHeader, header)
      if (accept !== undefined) headers = headers.concat('x-auth-kind', 'session')
      sendPrepared(reply, allowedText, 200, headers)
    }

    /** A program that sends a key is not redirected to the sign-in page. */
    async function respondToKey(key: Promise<string[]>, request: FastifyRequest, reply: FastifyReply) {
      const [headers] = await Promise.all([key, ctx.applications.whenCurrent()])
      const isDisabled = ctx.applications.latest().hasDisabled && isForDisabled(request)
      if (isDisabled) throw disabled()
      sendPrepared(reply, allowedText, 200, headers)
      return reply
    }

    async function loadFor(
      hash: string,
      query: GatewayQuery,
      request: FastifyRequest,
      waiting: Promise<void> | undefined,
    ): Promise<FoundSession> {
      await waiting
      const found = await loadSession(ctx, hash, 'copy')
      await check(found.cached, query, request)
      return found
    }

    async function verifySlowly(
      looked: Promise<FoundSession>,
      query: GatewayQuery,
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<FastifyReply> {
      try {
        const found = await looked
        if (found.cached.view.session.status === 'pending') reject(request, reply, sessionPending)
        else decide(found, query, request, reply)
      } catch (error) {
        if (!(error instanceof AppError && error.status === 401)) throw error
        reject(request, reply, 'INVALID_SESSION')
      }
      return reply
    }

    /** Responds with 401, or redirects to the sign-in page if the gateway requested a redirect. */
    function reject(
      request: FastifyRequest,
      reply: FastifyReply,
      code: 'INVALID_SESSION' | typeof sessionPending,
    ): void {
      const login = isNavigation(request) ? loginAddress(ctx, pageOf(request)) : undefined
      const body = errorBody(new AppError(code, { sentence: 'Invalid session' }), request.id)
      const text = JSON.stringify(body) + finalNewline(ctx.config)
      if (login !== undefined && asksForRedirect(request, !isForPath(request))) {
        sendPrepared(reply, text, 302, ['location', login])
        return
      }
      const challenge = bearerChallenge(request, code)
      sendPrepared(reply, text, 401, [
        ...(login === undefined ? [] : ['x-auth-login', login]),
        ...(challenge === undefined ? [] : ['www-authenticate', challenge]),
      ])
    }

    const pageOf = (request: FastifyRequest): string | undefined =>
      originalAddress(request, isForPath(request) ? pathPrefix : undefined)

    const isAcceptedHere = (cached: CachedSession, query: GatewayQuery, request: FastifyRequest): boolean =>
      cached.application === null ||
      (cached.application === query.application && isVisibleTo(request.bridgeSecret?.application, cached.view))

    const verifyByQuery = (request: FastifyRequest, reply: FastifyReply) =>
      verify(request.query as GatewayQuery, request, reply)
    /** If the path has the prefix, the query comes from the visitor's request, so it must not decide anything. */
    const verifyForPath = (request: FastifyRequest, reply: FastifyReply) =>
      verify(demandsOf(request.bridgeSecret?.application ?? {}), request, reply)

    http.get(verifyPath, { schema: GatewayRoute, config: strict }, verifyByQuery)
    http.post(verifyPath, { schema: GatewayByPostRoute, config: strict }, verifyByQuery)
    // Without this route, preflight requests would get the CORS response with status 200, and the gateway would let
    // them pass.
    http.options(verifyPath, { schema: GatewayByOptionsRoute, config: { ...strict, hidden: true } }, verifyByQuery)
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const)
      http.route({
        method,
        url: `${pathPrefix}*`,
        schema: GatewayForPathRoute,
        config: { ...config, hidden: true },
        handler: verifyForPath,
      })
  }

const disabled = () => new AppError('FORBIDDEN', { sentence: 'This application is disabled' })

/** Not for requests that are served from memory, because Fastify creates `routeOptions` at each use. */
const isForPath = ({ routeOptions }: FastifyRequest): boolean => routeOptions.url !== verifyPath
