import { aboutUser, signedInAdmin } from '../../../admin/locked-target.ts'
import type { Context } from '../../../context.ts'
import { staffReading, staffWith, staffWithReauth } from '../../../http/access/access.ts'
import { viewerOf } from '../../../http/credentials/authenticate-key.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { pageOf } from '../../../lib/paging.ts'
import * as schemas from './admin-schemas.ts'
import { endClientGrants, listClientGrants } from './client-grants.ts'
import { endUserGrants, listUserGrants } from './user-grants.ts'

const ofUser = '/auth/admin/users/:user_id/grants'
const ofClient = '/auth/admin/oauth/clients/:client_id/grants'

const module = 'oauth'
const read = { access: staffReading('grants:read'), limit: 'admin', module } as const
// A misspelt `client_id` would end the access of all clients.
const endOfUser = { access: staffWithReauth('grants:end'), limit: 'admin', module, strictQuery: true } as const
const endOfClient = { access: staffWith('grants:end'), limit: 'admin', module, strictQuery: true } as const

export const grantAdminRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(ofUser, { schema: schemas.ListUserGrantsRoute, config: read }, async (request) => ({
      success: true as const,
      data: { applications: await listUserGrants(ctx, request.params.user_id, viewerOf(request)) },
    }))
    http.delete(ofUser, { schema: schemas.EndUserGrantsRoute, config: endOfUser }, async (request) => ({
      success: true as const,
      ended: await endUserGrants(ctx, aboutUser(request, request.params), request.query.client_id),
    }))
    http.get(ofClient, { schema: schemas.ListClientGrantsRoute, config: read }, async (request) => ({
      success: true as const,
      data: await listClientGrants(ctx, request.params.client_id, pageOf(request.query), viewerOf(request)),
    }))
    http.delete(ofClient, { schema: schemas.EndClientGrantsRoute, config: endOfClient }, async (request) => {
      const about = { principal: signedInAdmin(request), session: request.auth, clientId: request.params.client_id }
      return { success: true as const, ...(await endClientGrants(ctx, about)) }
    })
  }
