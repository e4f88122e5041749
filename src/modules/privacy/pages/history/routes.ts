import type { Context } from '../../../../context.ts'
import type { Routes } from '../../../../http/server/create-server.ts'
import { personalDataPath } from '../../../../pages/account/personal-data/paths.ts'
import { memberPages } from '../../../../pages/account/shared/member.ts'
import { anyoneReads } from '../../../../pages/shared/declare-pages.ts'
import { paths } from '../paths.ts'
import * as schemas from '../schemas.ts'
import { type Decision, historyPage } from './view.ts'

export const privacyHistoryRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const pages = memberPages(ctx, http, personalDataPath)
    const config = { ...anyoneReads, module: 'privacy' }
    pages.get(paths.history, { schema: schemas.HistoryRoute, config }, async (member, request) => {
      const { area, profile, api, show, go } = member
      const number = Math.max(1, Math.trunc(Number(request.query.page)) || 1)
      const answer = await api<{ data: Decision[]; meta: { has_more: boolean } }>({
        method: 'GET',
        path: `/auth/user/me/privacy/history?page=${number}`,
      })
      if (!answer.ok) return go(personalDataPath)
      const { data: decisions, meta } = answer.body
      const data = { area, decisions, number, hasMore: meta.has_more, timeZone: profile.user.tmz }
      return show((page) => historyPage(data, page))
    })
  }
