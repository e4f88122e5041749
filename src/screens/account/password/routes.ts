import { minPasswordLength } from '../../../config/password-rules.ts'
import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { ChangeOwnRoute } from '../../../passwords/schemas.ts'
import { type AccountVisit, accountPages } from '../../../ui/account/account-visit.ts'
import { noticePage, noticeWithLink } from '../../../ui/messages/notice/view.ts'
import { call } from '../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone } from '../../../ui/shared/declare-pages.ts'
import { PasswordFormRoute, PasswordRoute } from '../schemas.ts'
import { type PasswordPage, passwordPage } from './view.ts'

const path = '/account/password'

export const passwordPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = accountPages(ctx, http, path)
    pages.get(path, { schema: PasswordRoute, config: readByAnyone }, (member, { query }) =>
      show(ctx, member, { done: query.done }),
    )

    pages.post(path, { schema: PasswordFormRoute, config: postedByAnyone }, async (member, request) => {
      const { form_token: formToken, ...body } = request.body
      const response = await member.submit(path, formToken, call(ChangeOwnRoute, { body }))
      if (!response.ok) return show(ctx, member, { rejection: response.rejection }, response.status)
      return member.go(`${path}?done=password_saved`)
    })
  }

function show(
  { config }: Context,
  { area, profile, sign, show: send }: AccountVisit,
  more: Pick<PasswordPage, 'done' | 'rejection'>,
  status?: number,
) {
  if (!config.PASSWORDS_ENABLED)
    return send((page) => noticePage(noticeWithLink('passwords_disabled', 'account', page.lang), page), 403)
  const { user, has_password: hasPassword } = profile
  const data = { area, form: sign(path), user, hasPassword, minPasswordLength: minPasswordLength(config), ...more }
  return send((page) => passwordPage(data, page), status)
}
