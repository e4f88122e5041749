import { addAbortSignal, Readable } from 'node:stream'
import type { Context } from '../context.ts'
import { admins } from '../http/access/access.ts'
import { deviceOf } from '../http/access/device.ts'
import { attachmentHeaders } from '../http/replies/reply-headers.ts'
import type { DeclareRoutes } from '../http/server/create-server.ts'
import { AuditExportRoute } from './audit-export-schemas.ts'
import { exportAudit } from './export-audit.ts'
import { exportTimeout, exportTypes } from './export-file.ts'

export const auditExportRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(
      '/auth/admin/audit/export',
      { schema: AuditExportRoute, config: { access: admins, limit: 'export', strictQuery: true } },
      async (request, reply) => {
        const { format = 'csv', ...filters } = request.query
        attachmentHeaders(reply, `audit.${format}`).type(exportTypes[format])
        // Otherwise, a HEAD request would read all events and send none.
        if (request.method === 'HEAD') return reply.send('')
        const text = await exportAudit(ctx, request.auth, deviceOf(request), { ...filters, format })
        return reply.send(addAbortSignal(AbortSignal.timeout(exportTimeout), Readable.from(text)))
      },
    )
  }
