import { securityAddRoutes } from './add/routes.ts'
import { securityListRoutes } from './list/routes.ts'
import { securityProofRoutes } from './proof/routes.ts'

export const securityPages = [securityListRoutes, securityAddRoutes, securityProofRoutes]
