import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { AccountsRoute, LinkRoute, UnlinkRoute } from '../../../social/schemas.ts'
import { type AccountVisit, accountPages, type FormOutcome } from '../../../ui/account/account-visit.ts'
import { linkedPath } from '../../../ui/paths.ts'
import { call } from '../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone } from '../../../ui/shared/declare-pages.ts'
import type { SignInProvider } from '../../sign-in/login/view.ts'
import * as schemas from './schemas.ts'
import { addPath, removePath } from './schemas.ts'
import { continuePage, linkedPage, titleOf } from './view.ts'

export const linkedRoutes =
  (providers: SignInProvider[]) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    if (providers.length === 0) return

    async function showLinked(member: AccountVisit, { done, problem }: FormOutcome, status?: number) {
      const { area, profile, api, sign, show } = member
      const response = await api(call(AccountsRoute))
      const accounts = response.ok ? response.body.accounts : []
      const forms = { add: sign(addPath), remove: sign(removePath) }
      const data = {
        area,
        accounts,
        providers,
        timeZone: profile.user.tmz,
        forms,
        done,
        problem,
        hasPasswords: ctx.config.PASSWORDS_ENABLED,
      }
      return show((page) => linkedPage(data, page), status)
    }

    const pages = accountPages(ctx, http, linkedPath)
    pages.get(linkedPath, { schema: schemas.LinkedRoute, config: readByAnyone }, (member, { query }) =>
      showLinked(member, query),
    )

    pages.post(addPath, { schema: schemas.LinkFormRoute, config: postedByAnyone }, async (member, request, reply) => {
      const { provider, form_token: formToken } = request.body
      const response = await member.submit(addPath, formToken, call(LinkRoute, { params: { provider }, body: {} }))
      if (!response.ok) return showLinked(member, { problem: response.rejection.code }, response.status)
      const { url } = response.body
      reply.header('refresh', `0;url=${url}`)
      return member.show((context) =>
        continuePage({ area: member.area, title: titleOf(provider, providers), url }, context),
      )
    })

    pages.post(removePath, { schema: schemas.UnlinkFormRoute, config: postedByAnyone }, async (member, request) => {
      const { provider, form_token: formToken } = request.body
      const response = await member.submit(removePath, formToken, call(UnlinkRoute, { params: { provider }, body: {} }))
      if (!response.ok) return showLinked(member, { problem: response.rejection.code }, response.status)
      return member.go(`${linkedPath}?done=unlinked`)
    })
  }
