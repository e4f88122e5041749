import type { Context } from '../../../context.ts'
import { staffReading } from '../../../http/access/access.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { listClientRejections } from './list-rejections.ts'
import { ListClientRejectionsRoute } from './schemas.ts'

const config = { access: staffReading('applications:read'), limit: 'admin', module: 'oauth' } as const

export const clientRejectionRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(
      '/auth/admin/oauth/clients/:client_id/rejections',
      { schema: ListClientRejectionsRoute, config },
      async ({ params, query }) => ({
        success: true as const,
        data: { rejections: await listClientRejections(ctx, params.client_id, query.limit) },
      }),
    )
  }
