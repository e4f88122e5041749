import type { Context } from '../../../context.ts'
import { anyone } from '../../../http/access.ts'
import type { Routes } from '../../../http/create-server.ts'
import { visitOf } from '../../visit.ts'
import { asMember } from '../member.ts'
import { type Decision, historyPage } from './history-page.ts'
import { paths, privacyPath } from './paths.ts'
import * as schemas from './schemas.ts'

export const privacyHistoryRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const config = { access: anyone, limit: 'read', hidden: true, module: 'privacy' } as const
    http.get(paths.history, { schema: schemas.HistoryRoute, config }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), privacyPath, async ({ area, profile, api, show, go }) => {
        const number = Math.max(1, Math.trunc(Number(request.query.page)) || 1)
        const answer = await api<{ data: Decision[]; meta: { has_more: boolean } }>({
          method: 'GET',
          path: `/auth/user/me/privacy/history?page=${number}`,
        })
        if (!answer.ok) return go(privacyPath)
        const { data: decisions, meta } = answer.body
        const data = { area, decisions, number, hasMore: meta.has_more, timeZone: profile.user.tmz }
        return show((page) => historyPage(data, page))
      }),
    )
  }
