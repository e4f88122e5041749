import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/create-server.ts'
import { secondStepRoutes } from './second-step/routes.ts'
import { securityAddRoutes } from './security/add/routes.ts'
import { securityListRoutes } from './security/list/routes.ts'
import { securityProofRoutes } from './security/proof/routes.ts'

const pages = [secondStepRoutes, securityListRoutes, securityAddRoutes, securityProofRoutes]

export const twoFactorPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    for (const routes of pages) routes(ctx)(http)
  }
