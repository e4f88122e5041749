import type { ReadSecurityPart } from '../../../ui/account/security-part.ts'
import { addPasskeyRoutes } from './add/routes.ts'
import { securityListRoutes } from './list/routes.ts'
import { changePasskeyRoutes } from './passkey/routes.ts'

export const securityPages = (parts: () => readonly ReadSecurityPart[]) => [
  securityListRoutes(parts),
  addPasskeyRoutes(parts),
  changePasskeyRoutes(parts),
]
