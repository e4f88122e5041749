import type { Context } from '../../context.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { clientRoutes } from './clients/routes.ts'
import { introspectionRoutes } from './introspect/routes.ts'
import { signingKeyRoutes } from './keys/routes.ts'
import { clientRejectionRoutes } from './rejections/routes.ts'
import { resourceRoutes } from './resources/routes.ts'
import { tokenRoutes } from './token/routes.ts'
import { clientTestRoutes } from './token-test/routes.ts'

const declarations = [
  ...[tokenRoutes, introspectionRoutes, resourceRoutes, clientRoutes],
  ...[clientTestRoutes, clientRejectionRoutes, signingKeyRoutes],
]

export const oauthRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    for (const declare of declarations) declare(ctx)(http)
  }
