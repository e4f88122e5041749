import { StopImpersonatingRoute } from '../../admin/impersonation-schemas.ts'
import type { Context } from '../../context.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { MeRoute } from '../../sessions/route-schemas.ts'
import { call } from '../../ui/shared/api-route.ts'
import { postedByAnyone, visitorPages } from '../../ui/shared/declare-pages.ts'
import { stopPath } from '../../ui/shared/own-form.ts'
import { StopFormRoute } from '../../ui/shared/schemas.ts'
import { stateCookies } from '../../ui/shared/state-cookie.ts'

/** While a superadmin acts as another user, the banner on every page posts to this route. */
export const stopImpersonatingRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    visitorPages(ctx, http).post(
      stopPath,
      { schema: StopFormRoute, config: postedByAnyone },
      async (visit, { body }) => {
        const acting = await visit.api(call(MeRoute))
        const response = await visit.submit(stopPath, body.form_token, call(StopImpersonatingRoute))
        if (!response.ok) return visit.go(response.status === 401 ? '/login?ended=session' : '/account')
        for (const what of stateCookies) visit.clearStateCookie(what)
        if (!response.body.data.restored) return visit.go('/login?ended=session')
        return visit.go(acting.ok ? `/admin/people/${encodeURIComponent(acting.body.user.id)}` : '/account')
      },
    )
  }
