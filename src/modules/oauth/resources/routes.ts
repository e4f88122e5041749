import type { FastifyRequest } from 'fastify'
import { signedInAdmin } from '../../../admin/locked-target.ts'
import type { Context } from '../../../context.ts'
import { staffReading, staffWith } from '../../../http/access/access.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { createResource, deleteResource, updateResourceOf } from './change-resource.ts'
import * as schemas from './schemas.ts'
import { getResource, listResources } from './show-resource.ts'

const base = '/auth/admin/oauth/resources'
const one = `${base}/:resource_id`

const module = 'oauth'
const read = { access: staffReading('applications:read'), limit: 'admin', module } as const
const config = { access: staffWith('applications:manage'), limit: 'admin', module } as const

export const resourceRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const shown = async (id: string) => ({ success: true as const, data: await getResource(ctx, id) })

    http.get(base, { schema: schemas.ListResourcesRoute, config: read }, async () => ({
      success: true as const,
      data: { resources: await listResources(ctx) },
    }))
    http.post(base, { schema: schemas.CreateResourceRoute, config }, async (request) =>
      shown(await createResource(ctx, callerOf(request), request.body)),
    )
    http.get(one, { schema: schemas.GetResourceRoute, config: read }, ({ params }) => shown(params.resource_id))
    http.put(one, { schema: schemas.UpdateResourceRoute, config }, async (request) => {
      await updateResourceOf(ctx, about(request, request.params), request.body)
      return shown(request.params.resource_id)
    })
    http.delete(one, { schema: schemas.DeleteResourceRoute, config }, async (request) => {
      await deleteResource(ctx, about(request, request.params))
      return { success: true as const, message: 'The resource was removed.' }
    })
  }

const callerOf = (request: FastifyRequest) => ({ principal: signedInAdmin(request), session: request.auth })

const about = (request: FastifyRequest, { resource_id }: { resource_id: string }) => ({
  ...callerOf(request),
  id: resource_id,
})
