import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/create-server.ts'
import { readByAnyone } from '../../shared/declare-pages.ts'
import { displayNameOf } from '../../shared/profile.ts'
import { adminPages } from '../shared/admin-visit.ts'
import { ConsoleRoute } from '../shared/schemas.ts'
import { readChecklist } from './checklist.ts'
import { consoleOverviewPage } from './view.ts'

const path = '/admin'

export const overviewRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, path)
    pages.get(path, { schema: ConsoleRoute, config: readByAnyone }, async (member) => {
      const { area, profile, show, read } = member
      const { user } = profile
      const { pagination } = await read<{ pagination: { total: number } }>('/auth/users?limit=1')
      const viewer = { name: displayNameOf(user), role: user.user_type }
      const checklist = await readChecklist(ctx, member)
      return show((page) => consoleOverviewPage({ area, viewer, people: pagination.total, checklist }, page))
    })
  }
