import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { deleteLaterRoutes } from './delete/routes.ts'
import { privacyHistoryRoutes } from './history/routes.ts'
import { decisionRoutes } from './overview/routes.ts'
import { requestPageRoutes } from './requests/routes.ts'

export const privacyPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    for (const routes of [decisionRoutes, privacyHistoryRoutes, deleteLaterRoutes, requestPageRoutes]) routes(ctx)(http)
  }
