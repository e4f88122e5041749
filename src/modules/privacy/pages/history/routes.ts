import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { accountPages } from '../../../../ui/account/account-visit.ts'
import { personalDataPath } from '../../../../ui/paths.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { PrivacyHistoryRoute } from '../../schemas.ts'
import * as schemas from '../schemas.ts'
import { historyPage } from './view.ts'

export const privacyHistoryRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = accountPages(ctx, http, personalDataPath)
    const config = { ...readByAnyone, module: 'privacy' }
    pages.get(schemas.privacyPaths.history, { schema: schemas.HistoryPageRoute, config }, async (member, request) => {
      const { area, profile, api, show, go } = member
      const number = Math.max(1, Math.trunc(Number(request.query.page)) || 1)
      const response = await api(call(PrivacyHistoryRoute, { query: { page: number } }))
      if (!response.ok) return go(personalDataPath)
      const { events: decisions, pagination } = response.body.data
      const data = { area, decisions, number, hasMore: pagination.has_more, timeZone: profile.user.tmz }
      return show((page) => historyPage(data, page))
    })
  }
