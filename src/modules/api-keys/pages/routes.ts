import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { keyPageRoutes } from './account/routes.ts'
import { accountPageRoutes } from './accounts/account-routes.ts'
import { accountListRoutes } from './accounts/routes.ts'

export const pageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    for (const routes of [keyPageRoutes, accountListRoutes, accountPageRoutes]) routes(ctx)(http)
  }
