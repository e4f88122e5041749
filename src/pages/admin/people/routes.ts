import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/create-server.ts'
import type { FindParts } from '../shared/console-part.ts'
import type { FindRefusal } from '../shared/rights.ts'
import { bulkRoutes } from './bulk/routes.ts'
import { exportRoutes } from './export/routes.ts'
import { peopleRoutes } from './list/routes.ts'
import { newPersonRoutes } from './new/routes.ts'
import { personRoutes } from './person/routes.ts'

export const peopleAreaRoutes =
  (parts: FindParts, findRefusal: FindRefusal) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    for (const routes of [
      peopleRoutes(findRefusal),
      newPersonRoutes(findRefusal),
      bulkRoutes(findRefusal),
      exportRoutes,
      personRoutes(parts, findRefusal),
    ])
      routes(ctx)(http)
  }
