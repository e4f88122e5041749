import type { Context } from '../context.ts'
import { signedIn } from '../http/access/access.ts'
import { deviceOf } from '../http/access/device.ts'
import { readCookies } from '../http/cookies/cookies.ts'
import { clearSessionCookie } from '../http/cookies/session-cookie.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { signInDeviceOf } from '../sessions/remembered-browsers.ts'
import { endedResponse } from '../sessions/responses.ts'
import { endOtherSessions, endOwnSession, ownSessions } from './own-sessions.ts'
import { EndOthersRoute, EndOwnRoute, OwnSessionsRoute } from './session-schemas.ts'

const path = '/auth/sessions'

export const ownSessionRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const write = { access: signedIn, limit: 'write' } as const

    http.get(
      path,
      { schema: OwnSessionsRoute, config: { access: signedIn, limit: 'read', whileImpersonating: 'allowed' } },
      async ({ auth }) => ({
        success: true as const,
        data: { sessions: await ownSessions(ctx, auth) },
      }),
    )

    http.delete(`${path}/:session_id`, { schema: EndOwnRoute, config: write }, async (request, reply) => {
      const { auth, params } = request
      await endOwnSession(ctx, auth, params.session_id, deviceOf(request))
      const cookies = readCookies(request.headers.cookie, ctx.config.SESSION_COOKIE_NAME)
      if (params.session_id === auth.session.id && cookies.includes(auth.sessionToken))
        clearSessionCookie(reply, ctx.config)
      return endedResponse(1)
    })

    http.delete(path, { schema: EndOthersRoute, config: write }, async (request) => {
      const { auth, body } = request
      return endedResponse(await endOtherSessions(ctx, auth, body.current_password, signInDeviceOf(ctx, request)))
    })
  }
