import type { Context } from '../context.ts'
import { anyone, staffWithReauth } from '../http/access/access.ts'
import { deviceOf } from '../http/access/device.ts'
import { replacedSessionsOf } from '../http/cookies/session-cookie.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { setSignInCookies, signInResponse } from '../sessions/responses.ts'
import { noticePage, noticeWithLink } from '../ui/messages/notice/view.ts'
import { setupPath } from '../ui/paths.ts'
import { sendPage } from '../ui/shared/send-page.ts'
import { setStateCookie } from '../ui/shared/state-cookie.ts'
import { setUpFirstAdmin } from './first-admin.ts'
import { AdminSetupPageRoute, AdminSetupRoute, SetPasswordRoute } from './schemas.ts'
import { setUserPassword } from './set-password.ts'
import { firstAdminExisted } from './setup-link.ts'

export const adminRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    // A GET request must not change anything, because other sites can trigger it.
    const page = { access: anyone, limit: 'read', hidden: true } as const
    http.get('/auth/setup', { schema: AdminSetupPageRoute, config: page }, async (request, reply) => {
      if (await firstAdminExisted(ctx)) {
        reply.code(404)
        return sendPage(ctx, request, reply, (context) =>
          noticePage(noticeWithLink('setup_not_available', 'signIn', context.lang), context),
        )
      }
      setStateCookie(ctx, reply, 'setup', request.query.token)
      return reply.redirect(setupPath, 303)
    })

    http.post(
      '/auth/setup',
      { schema: AdminSetupRoute, config: { access: anyone, limit: 'login' } },
      async (request, reply) => {
        const replaces = replacedSessionsOf(request, ctx.config)
        const created = await setUpFirstAdmin(ctx, request.body, deviceOf(request), replaces)
        setSignInCookies(ctx, reply, created)
        return signInResponse(ctx, created)
      },
    )

    http.post(
      '/auth/password-change/admin',
      { schema: SetPasswordRoute, config: { access: staffWithReauth('users:set_password'), limit: 'admin' } },
      async (request) => {
        const { user_id, new_password, notify = true } = request.body
        const { user: actor, session } = request.auth
        const forced = { actor, sessionId: session.id, targetId: user_id, password: new_password, notify }
        await setUserPassword(ctx, { ...forced, device: deviceOf(request) })
        return { success: true as const, message: 'Password set. All sessions of the user have ended.' }
      },
    )
  }
