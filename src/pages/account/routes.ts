import type { Context } from '../../context.ts'
import type { Routes } from '../../http/create-server.ts'
import { confirmRoutes } from './confirm-routes.ts'
import { overviewRoutes } from './overview-routes.ts'
import { sessionsRoutes } from './sessions-routes.ts'

/** The pages of somebody who is signed in. */
export const accountRoutes =
  (ctx: Context): Routes =>
  (http) => {
    for (const routes of [overviewRoutes, confirmRoutes, sessionsRoutes]) routes(ctx)(http)
  }
