import type { Context } from '../../context.ts'
import { allowedReturnAddress } from '../../http/responses/redirects.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { rejectReturn } from '../../ui/flow/begin-flow.ts'
import { postedByAnyone, readByAnyone, visitorPages } from '../../ui/shared/declare-pages.ts'
import type { PageProblem } from '../../ui/shared/problem-text.ts'
import { LogoutFormRoute, LogoutPageRoute } from '../../ui/shared/schemas.ts'
import type { PageVisit } from '../../ui/shared/visit.ts'
import { maySignOut, signOutBrowser } from './sign-out-browser.ts'
import { logoutPage } from './view.ts'

const path = '/logout'

export const logoutRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = visitorPages(ctx, http)

    function showLogout(visit: PageVisit, returnTo: string | undefined, problem?: PageProblem, status?: number) {
      const data = { formToken: visit.sign(path), returnTo, problem }
      return visit.show((page) => logoutPage(data, page), status, null, returnTo)
    }

    pages.get(path, { schema: LogoutPageRoute, config: readByAnyone }, async (visit, request, reply) => {
      const { application, return_to = signOutUrlOf(ctx, application) } = request.query
      const returnTo = allowedReturnAddress(ctx, return_to)
      if (return_to !== undefined && returnTo === undefined) return rejectReturn(ctx, request, reply, return_to)
      if (await maySignOut(ctx, visit, request)) return showLogout(visit, returnTo)
      return returnTo === undefined ? visit.go('/login') : visit.redirectTo(returnTo)
    })

    pages.post(path, { schema: LogoutFormRoute, config: postedByAnyone }, async (visit, request, reply) => {
      const { form_token: formToken, return_to } = request.body
      // The page that is loaded next redirects visitors without a session.
      if (!(await visit.isOwn(path, formToken))) return visit.go(startOver(return_to))
      const returnTo = allowedReturnAddress(ctx, return_to)
      if (return_to !== undefined && returnTo === undefined) return rejectReturn(ctx, request, reply, return_to)
      const failed = await signOutBrowser(ctx, visit, request, reply)
      if (failed) return showLogout(visit, returnTo, failed.rejection, failed.status)
      return returnTo === undefined ? visit.go('/login?logout=success') : visit.redirectTo(returnTo)
    })
  }

/** Where users are sent if the sign-out names only the application. */
function signOutUrlOf(ctx: Context, key: string | undefined): string | undefined {
  const application = key === undefined ? undefined : ctx.applications.current().ofKey(key)
  return allowedReturnAddress(ctx, application?.signOutUrl ?? undefined)
}

const startOver = (returnTo: string | undefined): string =>
  returnTo === undefined ? '/account' : `${path}?${new URLSearchParams({ return_to: returnTo })}`
