import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { browserSession, signedIn } from '../../../http/access/access.ts'
import { deviceOf } from '../../../http/access/device.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { endOwnGrant, removeApplication } from './end-own.ts'
import { listAccessOfUser } from './list-queries.ts'
import { EndOwnGrantRoute, ListOwnGrantsRoute, RemoveApplicationRoute } from './own-schemas.ts'
import { shownAccess } from './shown-access.ts'

const module = 'oauth'

export const ownGrantRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const read = { access: signedIn, limit: 'read', whileImpersonating: 'allowed', module } as const
    const write = { access: browserSession, limit: 'write', module } as const

    http.get('/auth/grants', { schema: ListOwnGrantsRoute, config: read }, async ({ auth }) => ({
      success: true as const,
      data: { applications: (await listAccessOfUser(ctx.db, auth.user.id, ctx.clock.date())).map(shownAccess) },
    }))

    http.delete('/auth/grants/:grant_id', { schema: EndOwnGrantRoute, config: write }, async (request) => {
      await endOwnGrant(ctx, senderOf(request), request.params.grant_id)
      return { success: true as const, message: 'The access was ended.' }
    })

    http.delete('/auth/applications/:client_id', { schema: RemoveApplicationRoute, config: write }, async (request) => {
      await removeApplication(ctx, senderOf(request), request.params.client_id)
      return { success: true as const, message: 'The access was removed.' }
    })
  }

const senderOf = (request: FastifyRequest) => ({ view: request.auth, device: deviceOf(request) })
