import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { staffReading, staffWith, staffWithReauth } from '../http/access/access.ts'
import { deviceOf } from '../http/access/device.ts'
import { takeAnyAsJson } from '../http/parsing/json-body.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { paginationOf } from '../lib/paging.ts'
import { describeModules, getModule, hubStatus, moduleStatus, registryOf } from './describe-modules.ts'
import type { Hub } from './hub.ts'
import { createInstallerTables, dryRunHub } from './hub-tables.ts'
import { dryRunInstall, dryRunUpdate, idsOf, runInstall, runUpdate } from './install.ts'
import * as installing from './install-schemas.ts'
import type { InstallRequest, UpdateRequest } from './plan.ts'
import { discovered, hubResponse, listResponse, planResponse, registryRow, runResponse } from './responses.ts'
import { runsOf } from './run-history.ts'
import type { InstallActor } from './run-request.ts'
import * as schemas from './schemas.ts'

const base = '/api/v1/modules/install'
const ofModule = `${base}/:module_id`
const reads = { access: staffReading('modules:read'), limit: 'read' } as const
const plans = { access: staffWith('modules:read'), limit: 'admin' } as const
const acts = { access: staffWithReauth('modules:run'), limit: 'admin' } as const
const defaultScope = 'service-core'

export const hubRoutes =
  (hub: Hub) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    readRoutes(ctx, hub)(http)
    takeAnyAsJson(http, actRoutes(ctx, hub))
  }

const readRoutes =
  (ctx: Context, hub: Hub): DeclareRoutes =>
  (http) => {
    http.get(base, { schema: schemas.DiscoveryRoute, config: reads }, async ({ query }) => {
      const modules = (await describeModules(ctx, hub, query.runtime_scope ?? defaultScope)).map(discovered)
      const all = { page: 1, limit: Math.max(1, modules.length), offset: 0 }
      return listResponse(modules, paginationOf(all, modules.length))
    })
    http.get(`${base}/status`, { schema: schemas.HubStatusRoute, config: reads }, async () =>
      hubResponse(await hubStatus(ctx, hub)),
    )
    http.get(`${ofModule}/status`, { schema: schemas.ModuleStatusRoute, config: reads }, async ({ params, query }) =>
      hubResponse(await moduleStatus(ctx, hub, params.module_id, query.runtime_scope ?? defaultScope)),
    )
    http.get(
      `${ofModule}/registry`,
      { schema: schemas.ModuleRegistryRoute, config: reads },
      async ({ params, query }) => {
        const requested = { ...query, runtime_scope: query.runtime_scope ?? defaultScope }
        const { rows, pagination } = await registryOf(ctx, hub, params.module_id, requested)
        return listResponse(rows.map(registryRow), pagination)
      },
    )
    http.get(`${ofModule}/runs`, { schema: schemas.ModuleRunsRoute, config: reads }, async ({ params, query }) => {
      const requested = { ...query, runtime_scope: query.runtime_scope ?? defaultScope }
      const { runs, pagination } = await runsOf(ctx, hub, params.module_id, requested)
      return listResponse(runs, pagination)
    })
  }

const actRoutes =
  (ctx: Context, hub: Hub): DeclareRoutes =>
  (http) => {
    http.post(`${base}/dry-run`, { schema: installing.HubDryRunRoute, config: plans }, async (request) =>
      planResponse('module-hub', ctx.config.RUNTIME_SCOPE, await dryRunHub(ctx, asking(request))),
    )
    http.post(`${base}/run`, { schema: installing.HubRunRoute, config: acts }, async (request) =>
      hubResponse(await createInstallerTables(ctx, hub, asking(request))),
    )
    http.post(`${ofModule}/dry-run`, { schema: installing.ModuleDryRunRoute, config: plans }, async (request) => {
      const module = getModule(hub, request.params.module_id)
      const wanted = installRequest(request.body)
      const steps = await dryRunInstall(ctx, hub, { module, request: wanted }, asking(request))
      return planResponse(module.id, wanted.runtime_scope, idsOf(steps), request.body.with_sql ? steps : undefined)
    })
    http.post(`${ofModule}/run`, { schema: installing.ModuleRunRoute, config: acts }, async (request) => {
      const module = getModule(hub, request.params.module_id)
      const wanted = installRequest(request.body)
      const requested = { module_id: module.id, ...wanted, verbose: request.body.verbose ?? false }
      return runResponse(requested, await runInstall(ctx, hub, { module, request: wanted }, asking(request)))
    })
    http.post(
      `${ofModule}/update/dry-run`,
      { schema: installing.ModuleUpdateDryRunRoute, config: plans },
      async (request) => {
        const module = getModule(hub, request.params.module_id)
        const wanted = updateRequest(request.body)
        const steps = await dryRunUpdate(ctx, hub, { module, request: wanted }, asking(request))
        return planResponse(module.id, wanted.runtime_scope, idsOf(steps), request.body.with_sql ? steps : undefined)
      },
    )
    http.post(`${ofModule}/update`, { schema: installing.ModuleUpdateRoute, config: acts }, async (request) => {
      const module = getModule(hub, request.params.module_id)
      const wanted = updateRequest(request.body)
      const requested = { module_id: module.id, ...wanted, verbose: request.body.verbose ?? false }
      return runResponse(requested, await runUpdate(ctx, hub, { module, request: wanted }, asking(request)))
    })
  }

const asking = (request: FastifyRequest): InstallActor => ({ actor: request.auth.user, device: deviceOf(request) })

const installRequest = (body: Partial<InstallRequest>): InstallRequest => ({
  target: body.target ?? 'core',
  components: body.components ?? [],
  runtime_scope: body.runtime_scope ?? defaultScope,
  verify_checksum: body.verify_checksum ?? true,
  repair_missing: body.repair_missing ?? false,
})

const updateRequest = (body: Partial<UpdateRequest>): UpdateRequest => ({
  components: body.components,
  runtime_scope: body.runtime_scope ?? defaultScope,
  verify_checksum: body.verify_checksum ?? true,
})
