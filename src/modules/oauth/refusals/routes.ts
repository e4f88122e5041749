import type { Context } from '../../../context.ts'
import { staffReading } from '../../../http/access/access.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { listRefusals } from './list-refusals.ts'
import { ListRefusalsRoute } from './schemas.ts'

const config = { access: staffReading('applications:read'), limit: 'admin', module: 'oauth' } as const

export const refusalRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(
      '/auth/admin/oauth/clients/:client_id/refusals',
      { schema: ListRefusalsRoute, config },
      async ({ params, query }) => ({
        success: true as const,
        data: { refusals: await listRefusals(ctx, params.client_id, query.limit) },
      }),
    )
  }
