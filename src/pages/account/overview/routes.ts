import type { Context } from '../../../context.ts'
import type { Routes } from '../../../http/server/create-server.ts'
import { anyoneReads } from '../../shared/declare-pages.ts'
import { memberPages } from '../shared/member.ts'
import { portraitOf } from '../shared/portrait.ts'
import { OverviewRoute } from '../shared/schemas.ts'
import { overviewPage } from './view.ts'

const path = '/account'

export const overviewRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const pages = memberPages(ctx, http, path)
    pages.get(path, { schema: OverviewRoute, config: anyoneReads }, ({ area, profile, show }, { query }) => {
      const data = { area, profile, portrait: portraitOf(ctx.config, profile.user), done: query.done }
      return show((page) => overviewPage(data, page))
    })
  }
