import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { DiscoveryRoute, ModuleStatusRoute } from '../../../hub/schemas.ts'
import { AppError } from '../../../lib/errors.ts'
import { second } from '../../../lib/time.ts'
import { ChangeSettingsRoute } from '../../../stored-settings/schemas.ts'
import { type AdminVisit, adminPages } from '../../../ui/console/admin-visit.ts'
import { call } from '../../../ui/shared/api-route.ts'
import type { ApiResponse } from '../../../ui/shared/call-api.ts'
import { postedByAnyone, readByAnyone } from '../../../ui/shared/declare-pages.ts'
import { modulesPage } from './list/view.ts'
import { localized } from './localized.ts'
import { modulePath, modulesPath, type UnlocalizedModule } from './modules.ts'
import { formOf, planCall, runCall } from './operations.ts'
import { planPage } from './plan/view.ts'
import * as schemas from './schemas.ts'
import { showModule } from './show-module.ts'
import { switchOffPage } from './switch-off/view.ts'

const ofModule = `${modulesPath}/:module`

/** If a run takes longer, it continues in the background and the page shows its progress. */
const responseTimeoutMs = 2 * second

export const modulePageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, modulesPath, backTo)

    pages.get(modulesPath, { schema: schemas.ModulesPageRoute, config: readByAnyone }, async (member) => {
      const modules = await member.read(call(DiscoveryRoute))
      return member.show((page) =>
        modulesPage({ area: member.area, modules: modules.map(localized(ctx, page.lang)) }, page),
      )
    })

    pages.get(ofModule, { schema: schemas.ModulePageRoute, config: readByAnyone }, (member, request, reply) =>
      showModule(ctx, member, reply, request.params.module, { done: request.query.done }),
    )

    const plan = { schema: schemas.ModulePlanFormRoute, config: postedByAnyone }
    pages.post(`${ofModule}/plan`, plan, async (member, { params: { module: id }, body }, reply) => {
      const wanted = formOf(body)
      const response = await member.submit(`${modulePath(id)}/plan`, body.form_token, planCall(id, wanted))
      if (!response.ok) return showModule(ctx, member, reply, id, { problem: response.rejection }, response.status)
      const module = await member.read(call(ModuleStatusRoute, { params: { module_id: id } }))
      const form = member.sign(`${modulePath(id)}/run`)
      const data = { area: member.area, plan: response.body.data.plan ?? [], wanted, form }
      return member.show((page) => planPage({ ...data, module: localized(ctx, page.lang)(module) }, page))
    })

    const run = { schema: schemas.ModuleRunFormRoute, config: postedByAnyone }
    pages.post(`${ofModule}/run`, run, async (member, { params: { module: id }, body }, reply) => {
      const path = modulePath(id)
      const work = async () => await member.submit(`${path}/run`, body.form_token, runCall(id, formOf(body)))
      const response = await resultWithin(responseTimeoutMs, work().catch(failure))
      if (response && !response.ok)
        return showModule(ctx, member, reply, id, { problem: response.rejection }, response.status)
      return member.go(`${path}?done=run`)
    })

    const switching = { schema: schemas.ModuleSwitchFormRoute, config: postedByAnyone }
    pages.post(`${ofModule}/switch`, switching, async (member, { params: { module: id }, body }, reply) => {
      const { form_token: formToken, name = '', value = '', confirmed } = body
      const module = await member.read(call(ModuleStatusRoute, { params: { module_id: id } }))
      if (!module.switches.includes(name)) throw new AppError('NOT_FOUND')
      if (value === 'false' && !confirmed && (await member.isOwn(`${modulePath(id)}/switch`, formToken)))
        return showSwitchOff(ctx, member, module, name)
      const change = call(ChangeSettingsRoute, { body: { changes: [{ name, value }] } })
      const response = await member.submit(`${modulePath(id)}/switch`, formToken, change)
      if (!response.ok) return showModule(ctx, member, reply, id, { problem: response.rejection }, response.status)
      return member.go(`${modulePath(id)}?done=switched`)
    })
  }

async function showSwitchOff(ctx: Context, member: AdminVisit, module: UnlocalizedModule, name: string) {
  // A module can share the switch of a required module. The consequences for the required module are then shown.
  const modules = await member.read(call(DiscoveryRoute))
  const owner = modules.find(({ switches }) => switches.length === 1 && switches[0] === name) ?? module
  const form = member.sign(`${modulePath(module.module_id)}/switch`)
  return member.show((page) => {
    const inWords = localized(ctx, page.lang)
    const { off } = ctx.modules.wordsOf(owner.module_id, page.lang)
    return switchOffPage({ area: member.area, module: inWords(module), owner: inWords(owner), off, name, form }, page)
  })
}

/** After reauthentication, the visitor returns to the module page. */
const backTo = ({ params }: FastifyRequest): string => {
  const { module } = params as { module?: string }
  return module && /^[a-z0-9-]+$/.test(module) ? modulePath(module) : modulesPath
}

/** The page shows the module's history, which contains the failed run and the reasons. */
function failure(error: unknown): ApiResponse<unknown> {
  if (!(error instanceof AppError) || error.code !== 'INTERNAL_ERROR') throw error
  return { ok: false, status: 500, rejection: { code: 'MODULE_RUN_FAILED' } }
}

/** Returns undefined if the work takes longer than the limit. The work's result is then ignored. */
async function resultWithin<Result>(limitMs: number, work: Promise<Result>): Promise<Result | undefined> {
  const { promise: timeout, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), limitMs)
  work.catch(() => {})
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}
