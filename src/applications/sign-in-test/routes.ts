import { signedInAdmin } from '../../admin/locked-target.ts'
import type { Context } from '../../context.ts'
import { staffWith } from '../../http/access/access.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { TestApplicationRoute } from './schemas.ts'
import { testApplication } from './test-application.ts'

const config = { access: staffWith('applications:manage'), limit: 'admin' } as const

export const applicationTestRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.post(
      '/auth/admin/applications/:application_id/test',
      { schema: TestApplicationRoute, config },
      async (request) => {
        const about = { principal: signedInAdmin(request), session: request.auth, id: request.params.application_id }
        return { success: true as const, data: await testApplication(ctx, about, request.body ?? {}) }
      },
    )
  }
