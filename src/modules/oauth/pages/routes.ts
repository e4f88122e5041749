import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { accessPageRoutes } from './access/routes.ts'
import { clientPageRoutes } from './clients/routes.ts'
import { signingKeyPageRoutes } from './keys/routes.ts'
import { resourcePageRoutes } from './resources/routes.ts'

export const oauthPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    for (const routes of [clientPageRoutes, resourcePageRoutes, signingKeyPageRoutes, accessPageRoutes])
      routes(ctx)(http)
  }
