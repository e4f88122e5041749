import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import type { FindParts } from '../../../ui/console/console-part.ts'
import { bulkRoutes } from './bulk/routes.ts'
import { exportRoutes } from './export/routes.ts'
import { usersRoutes } from './list/routes.ts'
import { newUserRoutes } from './new/routes.ts'
import { userPageRoutes } from './user/routes.ts'

export const usersAreaRoutes =
  (parts: FindParts) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    for (const routes of [usersRoutes, newUserRoutes, bulkRoutes, exportRoutes, userPageRoutes(parts)])
      routes(ctx)(http)
  }
