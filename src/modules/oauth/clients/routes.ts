import type { FastifyRequest } from 'fastify'
import { signedInAdmin } from '../../../admin/locked-target.ts'
import type { Context } from '../../../context.ts'
import { staffReading, staffWith } from '../../../http/access/access.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { pageOf } from '../../../lib/paging.ts'
import { iso } from '../../../lib/time.ts'
import { createClient, deleteClient, updateClientOf } from './change-clients.ts'
import * as schemas from './schemas.ts'
import { RemoveClientSecretRoute, RotateClientSecretRoute } from './secret-schemas.ts'
import { removeClientSecret, rotateClientSecret } from './secrets.ts'
import { getClient, listedClients } from './show-clients.ts'

const base = '/auth/admin/oauth/clients'
const one = `${base}/:client_id`

const module = 'oauth'
const read = { access: staffReading('applications:read'), limit: 'admin', module } as const
const config = { access: staffWith('applications:manage'), limit: 'admin', module } as const
const secrets = { access: staffWith('clients:secrets'), limit: 'admin', module } as const

export const clientRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const shown = async (clientId: string) => ({ success: true as const, data: await getClient(ctx, clientId) })

    http.get(base, { schema: schemas.ListClientsRoute, config: read }, async ({ query }) => ({
      success: true as const,
      data: await listedClients(ctx, pageOf(query), query),
    }))
    http.post(base, { schema: schemas.CreateClientRoute, config }, async (request) => {
      const { clientId, secret } = await createClient(ctx, callerOf(request), request.body)
      return { ...(await shown(clientId)), ...(secret !== undefined && { client_secret: secret }) }
    })
    http.get(one, { schema: schemas.GetClientRoute, config: read }, ({ params }) => shown(params.client_id))
    http.put(one, { schema: schemas.UpdateClientRoute, config }, async (request) => {
      await updateClientOf(ctx, about(request, request.params), request.body)
      return shown(request.params.client_id)
    })
    http.delete(one, { schema: schemas.DeleteClientRoute, config }, async (request) => {
      await deleteClient(ctx, about(request, request.params))
      return { success: true as const, message: 'The client was deleted.' }
    })

    http.post(`${one}/secrets`, { schema: RotateClientSecretRoute, config: secrets }, async (request) => {
      const added = await rotateClientSecret(ctx, about(request, request.params), request.body)
      const { id, hint, secret: client_secret, overlapUntil } = added
      return {
        success: true as const,
        data: { id, hint, client_secret, overlap_until: overlapUntil && iso(overlapUntil) },
      }
    })
    http.delete(`${one}/secrets/:secret_id`, { schema: RemoveClientSecretRoute, config: secrets }, async (request) => {
      await removeClientSecret(ctx, { ...about(request, request.params), secretId: request.params.secret_id })
      return { success: true as const, message: 'The secret was removed.' }
    })
  }

const callerOf = (request: FastifyRequest) => ({ principal: signedInAdmin(request), session: request.auth })

const about = (request: FastifyRequest, { client_id }: { client_id: string }) => ({
  ...callerOf(request),
  clientId: client_id,
})
