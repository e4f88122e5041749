import { aboutUser } from '../../admin/locked-target.ts'
import type { Context } from '../../context.ts'
import { staffReading, staffWithReauth } from '../../http/access/access.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { cancelDeletionByAdmin, requestDeletionByAdmin, requestExportByAdmin } from './by-admin.ts'
import * as deletions from './deletion-schemas.ts'
import * as exports from './export-schemas.ts'
import { listRequests } from './list-requests.ts'
import { PrivacyRequestsRoute } from './request-list-schemas.ts'
import { deletionResponse, exportResponse } from './responses.ts'

const path = '/auth/admin/users/:user_id/privacy'

export const privacyAdminRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const config = { access: staffWithReauth('privacy:manage'), limit: 'admin', module: 'privacy' } as const

    const read = { access: staffReading('privacy:manage'), limit: 'read', module: 'privacy' } as const
    http.get('/auth/admin/privacy/requests', { schema: PrivacyRequestsRoute, config: read }, async ({ query }) => ({
      success: true as const,
      data: await listRequests(ctx, query),
    }))

    http.post(`${path}/delete-request`, { schema: deletions.DeletionByAdminRoute, config }, async (request) =>
      deletionResponse(await requestDeletionByAdmin(ctx, aboutUser(request, request.params), request.body.reason)),
    )

    http.delete(`${path}/delete-request`, { schema: deletions.CancelByAdminRoute, config }, async (request) =>
      deletionResponse(await cancelDeletionByAdmin(ctx, aboutUser(request, request.params))),
    )

    http.post(`${path}/export`, { schema: exports.ExportByAdminRoute, config }, async (request) =>
      exportResponse(await requestExportByAdmin(ctx, aboutUser(request, request.params))),
    )
  }
