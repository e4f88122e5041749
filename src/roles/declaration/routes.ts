import type { FastifyRequest } from 'fastify'
import { recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import { bridgeForPermissions } from '../../http/access/access.ts'
import { deviceOf } from '../../http/access/device.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { applyDeclaration } from './apply.ts'
import { readDeclaration } from './read-declaration.ts'
import { DeclarePermissionsRoute } from './schemas.ts'

export const declarationRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.put(
      '/auth/bridge/permissions/:application',
      { schema: DeclarePermissionsRoute, config: { access: bridgeForPermissions, limit: 'bridge', largeBody: true } },
      async (request) => {
        const { params, query, body } = request
        const { application } = params
        if (!mayDeclare(ctx, request, application)) await rejectDeclaration(ctx, request, application)
        if (body.application !== undefined && body.application !== application)
          throw invalidField('application', 'must be the application in the path')
        const input = { application, declaration: readDeclaration(body), prune: query.prune === true }
        const data = await applyDeclaration(ctx, { device: deviceOf(request) }, input)
        return { success: true as const, data }
      },
    )
  }

/** The guard has checked the right of an application's secret. Those of the settings need an entry in BRIDGE_RIGHTS. */
function mayDeclare({ config }: Context, { bridgeSecret }: FastifyRequest, application: string): boolean {
  if (!bridgeSecret) return false
  if (bridgeSecret.application) return bridgeSecret.application.key === application
  return config.BRIDGE_RIGHTS.includes(`${bridgeSecret.name}:${application}`)
}

async function rejectDeclaration(ctx: Context, request: FastifyRequest, application: string): Promise<never> {
  const details = { deed: 'declare_permissions', application, secret: request.bridgeSecret?.name }
  await recordAudit(ctx, { event: 'authz_denied', outcome: 'failure', device: deviceOf(request), details })
  throw new AppError('FORBIDDEN', { sentence: 'This bridge secret cannot declare permissions of this application' })
}
