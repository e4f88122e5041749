import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { AppError } from '../../../../lib/errors.ts'
import { type AdminVisit, adminPages } from '../../../../ui/console/admin-visit.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { CreateAccountRoute, ListAccountsRoute } from '../../account-schemas.ts'
import { readDeclaredScopes, type Typed } from '../scope-words.ts'
import { accountInput } from './account-input.ts'
import { accountsPage } from './list/view.ts'
import { type NewAccountPage, newAccountPage } from './new/view.ts'
import { accountPath, accountsPath, newAccountPath } from './paths.ts'
import * as schemas from './schemas.ts'

const module = 'api-keys'
const read = { ...readByAnyone, module } as const
const form = { ...postedByAnyone, module } as const

export const accountListRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, accountsPath, ({ url }) => url.split('?')[0] ?? accountsPath)

    pages.get(accountsPath, { schema: schemas.AccountsPageRoute, config: read }, async (member, { query }) => {
      const { service_accounts: accounts } = await member.read(call(ListAccountsRoute))
      const data = {
        declared: await readDeclaredScopes(member),
        ...{ area: member.area, accounts, mayAdd: member.can('keys:manage'), done: query.done },
        ...{ now: ctx.clock.now(), timeZone: member.profile.user.tmz ?? null },
      }
      return member.show((page) => accountsPage(data, page))
    })

    pages.get(newAccountPath, { schema: schemas.NewAccountPageRoute, config: read }, (member) =>
      showNew(member, { typed: { owners: member.profile.user.email } }),
    )

    pages.post(newAccountPath, { schema: schemas.CreateAccountFormRoute, config: form }, async (member, request) => {
      const { form_token: formToken, ...typed } = request.body as Typed
      const body = await accountInput(member, typed, [])
      const response = await member.submit(newAccountPath, formToken, call(CreateAccountRoute, { body }))
      if (!response.ok) return showNew(member, { typed, rejection: response.rejection }, response.status)
      return member.go(`${accountPath(response.body.data.id)}?done=created`)
    })
  }

async function showNew(member: AdminVisit, state: Pick<NewAccountPage, 'typed' | 'rejection'>, status?: number) {
  if (!member.can('keys:manage')) throw new AppError('FORBIDDEN')
  const { scopes } = await member.read(call(ListAccountsRoute))
  const declared = await readDeclaredScopes(member)
  const data = { area: member.area, form: member.sign(newAccountPath), scopes, declared, ...state }
  return member.show((page) => newAccountPage(data, page), status)
}
