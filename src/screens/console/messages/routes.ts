import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { outboxPageRoutes } from './outbox/routes.ts'
import { templatePageRoutes } from './templates/routes.ts'

export const messagePageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    outboxPageRoutes(ctx)(http)
    templatePageRoutes(ctx)(http)
  }
