import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import type { FindParts } from '../../../ui/console/console-part.ts'
import { bulkRoutes } from './bulk/routes.ts'
import { exportRoutes } from './export/routes.ts'
import { peopleRoutes } from './list/routes.ts'
import { newPersonRoutes } from './new/routes.ts'
import { personRoutes } from './person/routes.ts'

export const peopleAreaRoutes =
  (parts: FindParts) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    for (const routes of [peopleRoutes, newPersonRoutes, bulkRoutes, exportRoutes, personRoutes(parts)])
      routes(ctx)(http)
  }
