import { aboutUser } from '../../admin/locked-target.ts'
import type { Context } from '../../context.ts'
import { admins } from '../../http/access/access.ts'
import type { DeclareRoutes } from '../../http/server/create-server.ts'
import { ResetRoute } from './admin-schemas.ts'
import { resetByAdmin } from './reset-by-admin.ts'

const config = { access: admins, limit: 'admin', module: 'two-factor' } as const

export const twoFactorAdminRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    for (const path of ['/auth/admin/users', '/auth/users']) {
      http.delete(`${path}/:user_id/two_factor`, { schema: ResetRoute, config }, async (request) => {
        await resetByAdmin(ctx, aboutUser(request, request.params))
        return { success: true as const, message: 'Second factors removed' }
      })
    }
  }
