import type { Context } from '../../context.ts'
import type { Routes } from '../../http/create-server.ts'
import { anyonePosts, anyoneReads, visitorPages } from '../declare-pages.ts'
import { keptKinds } from '../kept-value.ts'
import { memberPages } from './member.ts'
import { overviewPage } from './overview-page.ts'
import { portraitOf } from './portrait.ts'
import { LogoutFormRoute, OverviewRoute } from './schemas.ts'

const path = '/account'

/** The start page of the account, and the way out. */
export const overviewRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const pages = memberPages(ctx, http, path)
    pages.get(path, { schema: OverviewRoute, config: anyoneReads }, ({ area, profile, show }, { query }) => {
      const data = { area, profile, portrait: portraitOf(ctx.config, profile.user), done: query.done }
      return show((page) => overviewPage(data, page))
    })

    const { post } = visitorPages(ctx, http)
    post('/logout', { schema: LogoutFormRoute, config: anyonePosts }, async (visit, request) => {
      // Whoever has no session any more is where they wanted to be.
      if (!(await visit.isOwn('/logout', request.body.page))) return visit.go(path)
      await visit.api({ method: 'POST', path: '/auth/logout' })
      // Whoever comes next to this browser learns nothing of who was here.
      for (const what of keptKinds) visit.forget(what)
      visit.forgetOtherFlows(visit.flowId)
      return visit.go('/login?logout=success')
    })
  }
