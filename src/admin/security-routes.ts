import type { Context } from '../context.ts'
import { staffReading } from '../http/access/access.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { listBridgeSecrets, readSecurityFigures } from './security-figures.ts'
import { BridgeSecretsRoute, SecurityFiguresRoute } from './security-schemas.ts'

export const securityFigureRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(
      '/auth/admin/bridge-secrets',
      { schema: BridgeSecretsRoute, config: { access: staffReading('security:read'), limit: 'admin' } },
      async () => ({ success: true as const, data: { secrets: await listBridgeSecrets(ctx) } }),
    )

    http.get(
      '/auth/admin/security',
      { schema: SecurityFiguresRoute, config: { access: staffReading('security:read'), limit: 'admin' } },
      async () => ({ success: true as const, data: await readSecurityFigures(ctx) }),
    )
  }
