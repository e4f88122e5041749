import type { FastifyRequest } from 'fastify'
import { signedInAdmin } from '../admin/locked-target.ts'
import type { Context } from '../context.ts'
import { staffReading, staffWith } from '../http/access/access.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { adoptAddress } from './adopt-address.ts'
import {
  createApplication,
  deleteApplication,
  restoreApplication,
  setEnabled,
  updateApplicationOf,
} from './change-application.ts'
import { listRejections } from './list-rejections.ts'
import { ListRejectionsRoute } from './rejection-schemas.ts'
import * as schemas from './schemas.ts'
import { getApplication, searchApplications } from './show-application.ts'
import {
  DeleteApplicationRoute,
  DisableApplicationRoute,
  EnableApplicationRoute,
  RestoreApplicationRoute,
} from './state-schemas.ts'

const read = { access: staffReading('applications:read'), limit: 'admin' } as const
const config = { access: staffWith('applications:manage'), limit: 'admin' } as const
/** A logo is part of the body. */
const large = { ...config, largeBody: true } as const
const base = '/auth/admin/applications'
const one = `${base}/:application_id`

export const applicationRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const shown = async (id: string) => ({ success: true as const, data: await getApplication(ctx, id) })

    http.get(base, { schema: schemas.ListApplicationsRoute, config: read }, async ({ query }) => ({
      success: true as const,
      data: await searchApplications(ctx, query),
    }))
    http.post(base, { schema: schemas.CreateApplicationRoute, config: large }, async (request) =>
      shown(await createApplication(ctx, callerOf(request), request.body)),
    )

    http.post('/auth/admin/application-adoptions', { schema: schemas.AdoptAddressRoute, config }, async (request) => {
      const { id, settings } = await adoptAddress(ctx, callerOf(request), request.body)
      return { success: true as const, data: { application: await getApplication(ctx, id), settings: [...settings] } }
    })

    http.get(
      '/auth/admin/application-rejections',
      { schema: ListRejectionsRoute, config: read },
      async ({ query }) => ({
        success: true as const,
        data: { rejections: await listRejections(ctx, query.application_id ?? null, query.limit) },
      }),
    )

    http.get(one, { schema: schemas.GetApplicationRoute, config: read }, ({ params }) => shown(params.application_id))
    http.put(one, { schema: schemas.UpdateApplicationRoute, config: large }, async (request) => {
      await updateApplicationOf(ctx, about(request, request.params), request.body)
      return shown(request.params.application_id)
    })
    http.delete(one, { schema: DeleteApplicationRoute, config }, async (request) => {
      await deleteApplication(ctx, about(request, request.params))
      return { success: true as const, message: 'The application was deleted. It can be restored for 14 days.' }
    })

    http.post(`${one}/enable`, { schema: EnableApplicationRoute, config }, async (request) => {
      await setEnabled(ctx, about(request, request.params), true)
      return shown(request.params.application_id)
    })
    http.post(`${one}/disable`, { schema: DisableApplicationRoute, config }, async (request) => {
      await setEnabled(ctx, about(request, request.params), false)
      return shown(request.params.application_id)
    })
    http.post(`${one}/restore`, { schema: RestoreApplicationRoute, config }, async (request) => {
      await restoreApplication(ctx, about(request, request.params))
      return shown(request.params.application_id)
    })
  }

const callerOf = (request: FastifyRequest) => ({ principal: signedInAdmin(request), session: request.auth })

const about = (request: FastifyRequest, { application_id }: { application_id: string }) => ({
  ...callerOf(request),
  id: application_id,
})
