import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { secondStepRoutes } from './second-step/routes.ts'
import { securityPages } from './security/routes.ts'

export const twoFactorPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    for (const routes of [secondStepRoutes, ...securityPages]) routes(ctx)(http)
  }
