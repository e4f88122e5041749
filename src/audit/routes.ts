import type { Context } from '../context.ts'
import { staffReading } from '../http/access/access.ts'
import { viewerOf } from '../http/credentials/authenticate-key.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { listEvents } from './list-events.ts'
import { AuditRoute, AuditSealsRoute } from './schemas.ts'
import { sealState } from './seal-state.ts'

export const auditRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(
      '/auth/admin/audit',
      { schema: AuditRoute, config: { access: staffReading('audit:read'), limit: 'admin' } },
      async (request) => ({
        success: true as const,
        data: await listEvents(ctx, viewerOf(request), request.query),
      }),
    )

    http.get(
      '/auth/admin/audit/seals',
      { schema: AuditSealsRoute, config: { access: staffReading('audit:read'), limit: 'admin' } },
      async () => ({ success: true as const, data: await sealState(ctx) }),
    )
  }
