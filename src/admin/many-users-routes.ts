import type { Context } from '../context.ts'
import { staffWith } from '../http/access/access.ts'
import { deviceOf } from '../http/access/device.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { concurrencyLimiter } from '../lib/concurrency-limiter.ts'
import { type ChangeApplicationRole, changeMany } from './change-many.ts'
import { sendExport } from './export-file.ts'
import { exportText } from './export-responses.ts'
import { exportSearch } from './export-search.ts'
import { BulkRoute, exportRoute } from './many-users-schemas.ts'

export const manyUsersRoutes =
  (changeRole: ChangeApplicationRole) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const atMost = concurrencyLimiter()
    http.post(
      '/auth/admin/users/bulk',
      { schema: BulkRoute, config: { access: staffWith('users:bulk'), limit: 'bulk' } },
      async (request) => {
        const { auth, body } = request
        const results = await atMost(1, auth.user.id, () =>
          changeMany(ctx, auth, deviceOf(request), { ...body, changeRole }),
        )
        return { success: true as const, data: { results } }
      },
    )

    http.get(
      '/auth/users/export',
      {
        schema: exportRoute(ctx.modules.declaredFilters()),
        config: { access: staffWith('users:export'), limit: 'export', strictQuery: true },
      },
      async (request, reply) => {
        const { format = 'csv', ...filters } = request.query
        return sendExport(reply, { name: 'users', format }, async () => {
          const users = await exportSearch(ctx, request.auth, deviceOf(request), filters)
          return exportText(ctx, users, format)
        })
      },
    )
  }
