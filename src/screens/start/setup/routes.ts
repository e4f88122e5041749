import { AdminSetupRoute } from '../../../admin/schemas.ts'
import { minPasswordLength } from '../../../config/password-rules.ts'
import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { noticePage, noticeWithLink } from '../../../ui/messages/notice/view.ts'
import { setupPath } from '../../../ui/paths.ts'
import { call } from '../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import { postedByAnyone, readByAnyone, visitorPages } from '../../../ui/shared/declare-pages.ts'
import * as schemas from '../../../ui/shared/schemas.ts'
import type { PageVisit } from '../../../ui/shared/visit.ts'
import { type SetupFields, setupPage } from './view.ts'

export const setupRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = visitorPages(ctx, http)
    pages.get(setupPath, { schema: schemas.FirstAdminPageRoute, config: readByAnyone }, (visit) =>
      visit.stateCookie('setup') === undefined ? notAvailable(visit) : ask(ctx, visit, {}),
    )

    pages.post(setupPath, { schema: schemas.FirstAdminFormRoute, config: postedByAnyone }, async (visit, request) => {
      const { email, name, password, form_token: formToken } = request.body
      const input = { email, name }
      const token = visit.stateCookie('setup')
      if (token === undefined) return notAvailable(visit)
      const body = { token, email, ...(ctx.config.PASSWORDS_ENABLED && { password }), ...(name.trim() && { name }) }
      const response = await visit.submit(setupPath, formToken, call(AdminSetupRoute, { body }))
      if (response.ok) {
        visit.clearStateCookie('setup')
        // The overview shows the new superadmin the first steps.
        return visit.go('/admin?done=set-up')
      }
      const { rejection, status } = response
      const isSpent = rejection.code === 'INVALID_TOKEN' || rejection.code === 'NOT_FOUND'
      return isSpent ? notAvailable(visit) : ask(ctx, visit, { input, rejection }, status)
    })
  }

interface SetupView {
  input?: SetupFields
  rejection?: ApiRejection
}

function ask({ config }: Context, visit: PageVisit, requested: SetupView, status?: number) {
  const hasPassword = config.PASSWORDS_ENABLED
  const minimum = minPasswordLength(config)
  const data = { formToken: visit.sign(setupPath), hasPassword, minPasswordLength: minimum, ...requested }
  return visit.show((page) => setupPage(data, page), status)
}

function notAvailable(visit: PageVisit) {
  visit.clearStateCookie('setup')
  return visit.show((page) => noticePage(noticeWithLink('setup_not_available', 'signIn', page.lang), page), 404)
}
