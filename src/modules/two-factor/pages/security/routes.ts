import { securityAddRoutes } from './add/routes.ts'
import { securityListRoutes } from './list/routes.ts'
import { securityProofRoutes } from './proof/routes.ts'

/** Second factors: which there are, another one, and the proof that a change asks for. */
export const securityPages = [securityListRoutes, securityAddRoutes, securityProofRoutes]
