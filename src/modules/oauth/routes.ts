import type { Context } from '../../context.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { continueRoutes } from './authorize/continue-routes.ts'
import { authorizeRoutes } from './authorize/routes.ts'
import { clientRoutes } from './clients/routes.ts'
import { consentRoutes } from './consent/routes.ts'
import { grantAdminRoutes } from './grants/admin-routes.ts'
import { ownGrantRoutes } from './grants/own-routes.ts'
import { introspectionRoutes } from './introspect/routes.ts'
import { signingKeyRoutes } from './keys/routes.ts'
import { logoutRoutesOfClients } from './logout/routes.ts'
import { clientRejectionRoutes } from './rejections/routes.ts'
import { resourceRoutes } from './resources/routes.ts'
import { tokenRoutes } from './token/routes.ts'
import { clientTestRoutes } from './token-test/routes.ts'
import { userInfoRoutes } from './userinfo/routes.ts'

const declarations = [
  ...[tokenRoutes, introspectionRoutes, resourceRoutes, clientRoutes],
  ...[clientTestRoutes, clientRejectionRoutes, signingKeyRoutes],
  ...[authorizeRoutes, continueRoutes, consentRoutes, userInfoRoutes, ownGrantRoutes],
  ...[logoutRoutesOfClients, grantAdminRoutes],
]

export const oauthRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    for (const declare of declarations) declare(ctx)(http)
  }
