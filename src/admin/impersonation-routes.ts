import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { transact } from '../db/transact.ts'
import { staffWith, visitor } from '../http/access/access.ts'
import { deviceOf } from '../http/access/device.ts'
import { allowedOrigins, comesFromOurPages } from '../http/access/origins.ts'
import {
  clearOwnSessionCookie,
  clearSessionCookie,
  ownSessionOf,
  setOwnSessionCookie,
} from '../http/cookies/session-cookie.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { AppError } from '../lib/errors.ts'
import { loadFromCookie } from '../sessions/authenticate.ts'
import { endImpersonation } from '../sessions/end-sessions.ts'
import { setCookieFor, signInResponse } from '../sessions/responses.ts'
import { absoluteEnd, isBrowserSession } from '../sessions/session.ts'
import { impersonate } from './impersonate.ts'
import { ImpersonateRoute, StopImpersonatingRoute } from './impersonation-schemas.ts'

export const impersonationRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const origins = allowedOrigins(ctx)

    http.post(
      '/auth/admin/users/:user_id/impersonate',
      { schema: ImpersonateRoute, config: { access: staffWith('users:impersonate'), limit: 'admin' } },
      async (request, reply) => {
        const { auth, params, body } = request
        const input = { targetId: params.user_id, reason: body.reason, device: deviceOf(request) }
        const created = await impersonate(ctx, auth, input)
        if (auth.via === 'cookie') {
          const rest = absoluteEnd(ctx.config, auth.session, auth.user.user_type) - ctx.clock.now()
          setOwnSessionCookie(reply, ctx.config, auth.sessionToken, rest)
          setCookieFor(ctx, reply, created)
        }
        return { ...signInResponse(ctx, created), impersonated_by: created.view.session.impersonated_by }
      },
    )

    http.post(
      '/auth/impersonation/stop',
      {
        schema: StopImpersonatingRoute,
        config: { access: visitor, limit: 'write', whileImpersonating: 'allowed', countsAsUse: false },
      },
      async (request, reply) => {
        if (!comesFromOurPages(request.headers, origins)) throw new AppError('CSRF_REJECTED')
        const { auth } = request
        const isImpersonated = auth !== undefined && auth.session.impersonated_by !== null
        const own = ownSessionOf(request, ctx.config)
        if (!isImpersonated && (auth || own === undefined)) throw new AppError('INVALID_SESSION')
        if (isImpersonated) await transact(ctx, (tx) => endImpersonation(tx, auth, deviceOf(request)))
        const restored = await restoreOwnSession(ctx, request, reply)
        return { success: true as const, message: 'Impersonation ended', data: { restored } }
      },
    )
  }

/** Returns false if the superadmin's own session has ended, or if this browser has no cookie for it. */
async function restoreOwnSession(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const sessionToken = ownSessionOf(request, ctx.config)
  if (sessionToken === undefined) return false
  clearOwnSessionCookie(reply, ctx.config)
  try {
    const { view } = (await loadFromCookie(ctx, sessionToken, request)).cached
    // The cookie may have been set by another host in the domain.
    if (!ctx.staff.may(view.user.user_type, 'users:impersonate') || !isBrowserSession(view.session))
      throw new AppError('INVALID_SESSION')
    setCookieFor(ctx, reply, { sessionToken, view })
    return true
  } catch (error) {
    if (!(error instanceof AppError && error.status === 401)) throw error
    clearSessionCookie(reply, ctx.config)
    return false
  }
}
