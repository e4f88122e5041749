import type { Context } from '../context.ts'
import { staffWith } from '../http/access/access.ts'
import { deviceOf } from '../http/access/device.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { AuditExportRoute } from './audit-export-schemas.ts'
import { exportAudit } from './export-audit.ts'
import { sendExport } from './export-file.ts'

export const auditExportRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(
      '/auth/admin/audit/export',
      { schema: AuditExportRoute, config: { access: staffWith('audit:export'), limit: 'export', strictQuery: true } },
      async (request, reply) => {
        const { format = 'csv', ...filters } = request.query
        return sendExport(reply, { name: 'audit', format }, () =>
          exportAudit(ctx, request.auth, deviceOf(request), { ...filters, format }),
        )
      },
    )
  }
