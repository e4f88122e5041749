import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { transact } from '../db/transact.ts'
import {
  anySession,
  bridgeWithSession,
  sessionWithOptionalBridge,
  signedIn,
  signedInOrPending,
} from '../http/access/access.ts'
import type { RequestAuth } from '../http/access/auth.ts'
import { deviceOf } from '../http/access/device.ts'
import { allowedOrigins, comesFromOurPages } from '../http/access/origins.ts'
import type { RouteConfig } from '../http/access/route-rules.ts'
import {
  clearOwnSessionCookie,
  clearSessionCookie,
  ownSessionOf,
  sessionCookies,
} from '../http/cookies/session-cookie.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { AppError } from '../lib/errors.ts'
import { iso } from '../lib/time.ts'
import { loginUser, loginUserWithModules } from '../users/shapes.ts'
import { applicationMembers } from './columns.ts'
import { rolesInSession } from './effective-roles.ts'
import { endByCookie, endSession, invalidateSessions } from './end-sessions.ts'
import { refreshSession } from './promote-session.ts'
import {
  expiresAtOf,
  meResponse,
  pendingUserWithModules,
  pendingView,
  sessionMembers,
  sessionSummary,
  setCookieFor,
} from './responses.ts'
import * as schemas from './route-schemas.ts'
import { authenticationOf } from './session.ts'

const isPending = ({ session }: Pick<RequestAuth, 'session'>): boolean => session.status === 'pending'

export const sessionRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const origins = allowedOrigins(ctx)
    const fullOrPartial = { access: signedInOrPending, limit: 'read', whileImpersonating: 'allowed' } as const

    http.get('/auth/validation', { schema: schemas.ValidationRoute, config: fullOrPartial }, async (request) =>
      validation(ctx, request.auth),
    )

    http.post(
      '/auth/validation',
      { schema: schemas.ValidationPostRoute, config: { ...fullOrPartial, sessionInBody: true } },
      async (request) => validation(ctx, request.auth),
    )

    http.get('/auth/session/current', { schema: schemas.CurrentRoute, config: fullOrPartial }, async (request) => {
      const { auth } = request
      return isPending(auth)
        ? pendingView(ctx, auth.sessionToken, auth)
        : {
            ...currentResponse(ctx, auth),
            ...rolesInSession(request),
            ...authenticationOf(auth),
            session: { ...applicationMembers(auth.session), impersonatedBy: auth.session.impersonated_by },
            ...applicationMembers(auth.session),
            ...impersonator(auth),
          }
    })

    http.get('/auth/me', { schema: schemas.MeRoute, config: fullOrPartial }, async ({ auth }) =>
      isPending(auth)
        ? {
            ...(await pendingView(ctx, auth.sessionToken, auth)),
            user: pendingUserWithModules(ctx, auth),
            data: { user: pendingUserWithModules(ctx, auth) },
          }
        : meResponse(ctx, auth.sessionToken, auth),
    )

    const userMe: RouteConfig = ctx.config.CLIENT_COMPAT
      ? { access: sessionWithOptionalBridge, limit: 'read', whileImpersonating: 'allowed' }
      : { access: bridgeWithSession, limit: 'bridge', whileImpersonating: 'allowed' }
    http.get('/auth/user/me', { schema: schemas.UserMeRoute, config: userMe }, async (request) => ({
      ...(await userMeResponse(ctx, request.auth)),
      ...(!isPending(request.auth) && rolesInSession(request)),
    }))

    http.post(
      '/auth/refresh',
      { schema: schemas.RefreshRoute, config: { access: signedIn, limit: 'write' } },
      async (request, reply) => {
        const view = await refreshSession(ctx, request.auth)
        // Without this check, another site could sign the browser in with a different session, because a form without a
        // body passes the JSON check.
        if (comesFromOurPages(request.headers, origins))
          setCookieFor(ctx, reply, { sessionToken: request.auth.sessionToken, view })
        return { ...currentResponse(ctx, { ...request.auth, ...view }), message: 'Session extended' }
      },
    )

    const logout = {
      access: anySession,
      limit: 'write',
      clearsCookie: true,
      forEndUsers: true,
      whileImpersonating: 'allowed',
    } as const
    http.post('/auth/logout', { schema: schemas.LogoutRoute, config: logout }, async (request, reply) => {
      // A request from another site may end the session whose token it sends, but must not clear this browser's cookie.
      const isOurs = comesFromOurPages(request.headers, origins)
      if (isOurs) clearSessionCookie(reply, ctx.config)
      if (isOurs && ownSessionOf(request, ctx.config)) clearOwnSessionCookie(reply, ctx.config)
      const { auth, query } = request
      const ending = { device: deviceOf(request), scope: query.scope ?? 'sign_in' }
      const ended = await transact(ctx, (tx) => endSession(tx, auth, ending))
      // If there are several session cookies, it is unclear which session to end, so all of their sessions end.
      const others = auth.via === 'cookie' ? sessionCookies(request, ctx.config) : []
      for (const sessionToken of [...others, ...ownSession(ctx, request)])
        await transact(ctx, (tx) => endByCookie(tx, sessionToken, ending.device))
      if (!ended) throw new AppError('INVALID_SESSION')
      if (isOurs && request.headers.accept?.includes('text/html')) reply.header('clear-site-data', '"cookies"')
      return { success: true as const, message: 'Logged out' }
    })

    const invalidation = { access: signedIn, limit: 'cache_invalidation', countsAsUse: false } as const
    http.post('/auth/invalidate/me', { schema: schemas.InvalidateRoute, config: invalidation }, async ({ auth }) => {
      await transact(ctx, (tx) => invalidateSessions(tx, auth.user.id))
      return { success: true as const, message: 'Cached sessions invalidated', timestamp: iso(ctx.clock.now()) }
    })
  }

/** Present only while a superadmin is acting as the user. */
const impersonator = ({ session: { impersonated_by } }: RequestAuth) => impersonated_by !== null && { impersonated_by }

/** Signing out while acting as another user also ends the superadmin's own session. */
function ownSession({ config }: Context, request: FastifyRequest): string[] {
  const sessionToken = ownSessionOf(request, config)
  return sessionToken === undefined || request.auth.via !== 'cookie' ? [] : [sessionToken]
}

async function validation(ctx: Context, auth: RequestAuth) {
  const reply = isPending(auth) ? await pendingView(ctx, auth.sessionToken, auth) : currentResponse(ctx, auth)
  return { ...reply, session: sessionSummary(ctx, auth) }
}

const currentResponse = (ctx: Context, auth: RequestAuth) => ({
  success: true,
  user: loginUser(ctx, auth.user),
  ...sessionMembers(ctx, auth.sessionToken, auth),
  requires_2fa: false,
})

/** `success` is false for partial sessions so that back ends never accept them. */
async function userMeResponse(ctx: Context, auth: RequestAuth) {
  const user = isPending(auth) ? pendingUserWithModules(ctx, auth) : loginUserWithModules(ctx, auth.user)
  const members = {
    user,
    sessionId: auth.sessionToken,
    expiresAt: expiresAtOf(ctx, auth),
    ...impersonator(auth),
    ...(ctx.config.CLIENT_COMPAT && { data: user }),
  }
  if (!isPending(auth)) return { success: true, ...members }
  const { available_methods } = await pendingView(ctx, auth.sessionToken, auth)
  return { success: false, ...members, requires_2fa: true, available_methods }
}
