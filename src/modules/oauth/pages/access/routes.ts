import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { type AccountVisit, accountPages } from '../../../../ui/account/account-visit.ts'
import { rolesInWords } from '../../../../ui/console/roles.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { findDeclaredScopes } from '../../consent/scope-queries.ts'
import { ListOwnGrantsRoute, RemoveApplicationRoute } from '../../grants/own-schemas.ts'
import { AccessPageRoute, accessPath, RemoveAccessFormRoute, removeAccessPath } from './schemas.ts'
import { type AccessPage, accessPage } from './view.ts'

const module = 'oauth'

export const accessPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = accountPages(ctx, http, accessPath)

    pages.get(accessPath, { schema: AccessPageRoute, config: { ...readByAnyone, module } }, (member, { query }) =>
      showAccess(ctx, member, { done: query.done }),
    )

    pages.post(
      removeAccessPath,
      { schema: RemoveAccessFormRoute, config: { ...postedByAnyone, module } },
      async (member, { body: { client_id = '', form_token } }) => {
        const removal = call(RemoveApplicationRoute, { params: { client_id } })
        const response = await member.submit(removeAccessPath, form_token, removal)
        if (!response.ok) return showAccess(ctx, member, { rejection: response.rejection }, response.status)
        return member.go(`${accessPath}?done=removed`)
      },
    )
  }

async function showAccess(
  ctx: Context,
  member: AccountVisit,
  more: Pick<AccessPage, 'done' | 'rejection'>,
  status?: number,
) {
  const response = await member.api(call(ListOwnGrantsRoute))
  const applications = response.ok ? response.body.data.applications : []
  const scopes = [...new Set(applications.flatMap((one) => one.scopes))]
  const data = {
    ...{ area: member.area, applications, form: member.sign(removeAccessPath) },
    terms: { roles: rolesInWords(ctx), declared: await findDeclaredScopes(ctx.db, scopes) },
    ...{ now: ctx.clock.now(), timeZone: member.profile.user.tmz, ...more },
  }
  return member.show((page) => accessPage(data, page), status)
}
