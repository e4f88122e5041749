import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/create-server.ts'
import { readByAnyone } from '../../shared/declare-pages.ts'
import { portraitOf } from '../../shared/profile.ts'
import { accountPages } from '../shared/account-visit.ts'
import { OverviewRoute } from '../shared/schemas.ts'
import { overviewPage } from './view.ts'

const path = '/account'

export const overviewRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = accountPages(ctx, http, path)
    pages.get(path, { schema: OverviewRoute, config: readByAnyone }, ({ area, profile, show }, { query }) => {
      const data = { area, profile, portrait: portraitOf(ctx.config, profile.user), done: query.done }
      return show((page) => overviewPage(data, page))
    })
  }
