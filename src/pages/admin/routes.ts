import type { Context } from '../../context.ts'
import type { DeclareRoutes } from '../../http/server/create-server.ts'
import { overviewRoutes } from './overview/routes.ts'

const pages = [overviewRoutes]

export const consoleRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    for (const routes of pages) routes(ctx)(http)
  }
