import type { Context } from '../../../context.ts'
import type { SharedRoutes } from '../../../http/access/sharing.ts'
import { currentDirectory } from '../directory.ts'

/** Pages of single-page applications call these. `authenticateClient` shares the response with the origins of the client. */
export const routesOfPages = (ctx: Context): SharedRoutes => ({
  paths: ['/oauth/token', '/oauth/revoke', '/oauth/userinfo'],
  requestHeaders: 'Content-Type, Authorization',
  responseHeaders: 'WWW-Authenticate, Retry-After',
  async allows(origin) {
    if (ctx.modules.rejectionOf({ id: 'oauth', component: 'core' })) return false
    const { origins } = await currentDirectory(ctx)
    const applications = ctx.applications.current()
    return (origins.get(origin) ?? []).some((key) => applications.ofKey(key)?.isEnabled)
  },
})
