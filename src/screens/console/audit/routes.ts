import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import type { FindParts } from '../../../ui/console/console-part.ts'
import { auditExportPageRoutes } from './export/routes.ts'
import { auditPageRoutes } from './list/routes.ts'

export const auditAreaRoutes =
  (parts: FindParts) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    for (const routes of [auditPageRoutes(parts), auditExportPageRoutes]) routes(ctx)(http)
  }
