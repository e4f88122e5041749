import type { Context } from '../context.ts'
import { staffReading } from '../http/access/access.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { OverviewRoute } from './overview-schemas.ts'
import { readOverview } from './read-overview.ts'

export const consoleFigureRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(
      '/auth/admin/overview',
      { schema: OverviewRoute, config: { access: staffReading('overview:read'), limit: 'admin' } },
      async ({ query }) => ({ success: true as const, data: await readOverview(ctx, query.range ?? '30d') }),
    )
  }
