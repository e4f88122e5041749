import { SearchRoute } from '../../../../admin/search-schemas.ts'
import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { AppError } from '../../../../lib/errors.ts'
import { adminPages } from '../../../../ui/console/admin-visit.ts'
import { addressOf } from '../../../../ui/console/pager.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { addressToConfirm } from '../../shared/address-to-confirm.ts'
import { apiQuery, type UsersSearch } from '../list/search-fields.ts'
import { exportPageRoute } from '../schemas.ts'
import { usersPath } from '../shared.ts'
import { exportPage } from './view.ts'

const path = `${usersPath}/export`

export const exportRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const schema = exportPageRoute(ctx.modules.declaredFilters().map(({ name }) => name))
    const pages = adminPages(ctx, http, usersPath)
    pages.get(path, { schema, config: readByAnyone }, async (member, { query }) => {
      if (!member.can('users:export')) throw new AppError('FORBIDDEN')
      const { done: outcome, ...search } = query as UsersSearch
      const confirmation = addressToConfirm(ctx, member, addressOf(path, search), outcome)
      if (confirmation) return member.go(confirmation)
      const wanted = apiQuery(search, ctx.modules.userFilters())
      const { pagination } = await member.read(
        call(SearchRoute, { query: new URLSearchParams([...wanted, ['limit', '1']]) }),
      )
      const data = { area: member.area, total: pagination.total, query: wanted.toString() }
      return member.show((page) => exportPage(data, page))
    })
  }
