import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { accountPages } from '../../../../ui/account/account-visit.ts'
import type { ReadSecurityPart } from '../../../../ui/account/security-part.ts'
import { securityPath } from '../../../../ui/paths.ts'
import { readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { SecurityRoute } from '../schemas.ts'
import { showSecurity } from './show-security.ts'

export const securityListRoutes =
  (parts: () => readonly ReadSecurityPart[]) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = accountPages(ctx, http, securityPath)
    pages.get(securityPath, { schema: SecurityRoute, config: readByAnyone }, (member, { query }) =>
      showSecurity(ctx, member, { parts: parts(), done: query.done }),
    )
  }
