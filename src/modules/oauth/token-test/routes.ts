import { signedInAdmin } from '../../../admin/locked-target.ts'
import type { Context } from '../../../context.ts'
import { staffWith } from '../../../http/access/access.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { clientKey, countRequest } from '../client-authentication/authenticate-client.ts'
import { TestClientRoute } from './schemas.ts'
import { testClient } from './test-client.ts'

const config = { access: staffWith('applications:manage'), limit: 'admin', module: 'oauth' } as const

export const clientTestRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.post('/auth/admin/oauth/clients/:client_id/test', { schema: TestClientRoute, config }, async (request) => {
      const about = {
        ...{ principal: signedInAdmin(request), session: request.auth },
        clientId: request.params.client_id,
      }
      const count = (client: { id: string }) => countRequest(request, 'oauth_token', clientKey(client))
      return { success: true as const, data: await testClient(ctx, about, { ...request.body, count }) }
    })
  }
