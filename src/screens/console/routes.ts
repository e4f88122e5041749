import type { Context } from '../../context.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import type { FindParts } from '../../ui/console/console-part.ts'
import { applicationPageRoutes } from './applications/routes.ts'
import { auditAreaRoutes } from './audit/routes.ts'
import { messagePageRoutes } from './messages/routes.ts'
import { modulePageRoutes } from './modules/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { rolePageRoutes } from './roles/routes.ts'
import { securityPageRoutes } from './security/routes.ts'
import { settingPageRoutes } from './settings/routes.ts'
import { usersAreaRoutes } from './users/routes.ts'
import { webhookPageRoutes } from './webhooks/routes.ts'

/** `parts` returns the console parts of the modules available at request time. */
export const consoleRoutes =
  (parts: FindParts) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    for (const routes of [
      overviewRoutes,
      usersAreaRoutes(parts),
      rolePageRoutes,
      auditAreaRoutes(parts),
      securityPageRoutes,
      messagePageRoutes,
      applicationPageRoutes,
      webhookPageRoutes,
      modulePageRoutes,
      settingPageRoutes,
    ])
      routes(ctx)(http)
  }
