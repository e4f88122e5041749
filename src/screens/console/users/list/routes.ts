import { SearchRoute } from '../../../../admin/search-schemas.ts'
import { enabledProviderNames } from '../../../../config/enabled-providers.ts'
import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { adminPages } from '../../../../ui/console/admin-visit.ts'
import { knownRoles } from '../../../../ui/console/roles.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { bulkPath } from '../bulk/choices.ts'
import { usersRoute } from '../schemas.ts'
import { usersPath } from '../shared.ts'
import { apiQuery, orderQuery, type UsersSearch } from './search-fields.ts'
import { countLimit, usersPage } from './view.ts'

export const usersRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, usersPath)
    const schema = usersRoute(ctx.modules.declaredFilters().map(({ name }) => name))
    pages.get(usersPath, { schema, config: readByAnyone }, async (member, { query }) => {
      const { done: outcome, count, ...search } = query as UsersSearch
      const filters = ctx.modules.userFilters()
      const wanted = apiQuery(search, filters)
      const page = /^[1-9]\d{0,5}$/.test(search.page ?? '') ? (search.page as string) : '1'
      const paging = { ...orderQuery(search.sort), page, limit: '25', count_limit: String(countLimit) }
      for (const [name, value] of Object.entries(paging)) wanted.set(name, value)
      const list = call(SearchRoute, { query: wanted })
      const response = await member.api(list)
      if (!response.ok && response.rejection.code !== 'VALIDATION_ERROR') await member.read(list)
      const data = {
        area: member.area,
        can: member.can,
        may: member.may,
        found: response.ok ? response.body.data : undefined,
        search,
        filters,
        known: {
          roles: knownRoles(ctx),
          applicationRoles: ctx.applicationRoles.current().names,
          providers: enabledProviderNames(ctx.config),
        },
        form: member.sign(bulkPath),
        deletedRetention: ctx.config.DELETED_RETENTION,
        outcome: { done: outcome, count },
      }
      return member.show((page) => usersPage(data, page))
    })
  }
