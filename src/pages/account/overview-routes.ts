import type { Context } from '../../context.ts'
import { anyone } from '../../http/access.ts'
import type { Routes } from '../../http/create-server.ts'
import { keptKinds } from '../kept-value.ts'
import { visitOf } from '../visit.ts'
import { asMember } from './member.ts'
import { overviewPage } from './overview-page.ts'
import { portraitOf } from './portrait.ts'
import { LogoutFormRoute, OverviewRoute } from './schemas.ts'

const path = '/account'

/** The start page of the account, and the way out. */
export const overviewRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const read = { access: anyone, limit: 'read', hidden: true } as const
    http.get(path, { schema: OverviewRoute, config: read }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), path, ({ area, profile, show }) => {
        const data = { area, profile, portrait: portraitOf(ctx.config, profile.user), done: request.query.done }
        return show((page) => overviewPage(data, page))
      }),
    )

    const form = { access: anyone, limit: 'write', hidden: true, form: true } as const
    http.post('/logout', { schema: LogoutFormRoute, config: form }, async (request, reply) => {
      const visit = visitOf(ctx, http, request, reply)
      // Whoever has no session any more is where they wanted to be.
      if (!(await visit.isOwn('/logout', request.body.page))) return visit.go(path)
      await visit.api({ method: 'POST', path: '/auth/logout' })
      // Whoever comes next to this browser learns nothing of who was here.
      for (const what of keptKinds) visit.forget(what)
      return visit.go('/login?logout=success')
    })
  }
