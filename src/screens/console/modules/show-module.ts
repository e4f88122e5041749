import type { FastifyReply } from 'fastify'
import type { Context, ModulePlaces } from '../../../context.ts'
import { DiscoveryRoute, HubStatusRoute, ModuleRunsRoute, ModuleStatusRoute } from '../../../hub/schemas.ts'
import { SettingsRoute } from '../../../stored-settings/schemas.ts'
import type { AdminVisit } from '../../../ui/console/admin-visit.ts'
import { call } from '../../../ui/shared/api-route.ts'
import { localized } from './localized.ts'
import { type ModuleOutcome, modulePage } from './module/view.ts'
import { modulePath } from './modules.ts'

/** The interval in seconds at which the page is reloaded during a run. The `refresh` header works without scripts. */
const refreshSeconds = '2'

export async function showModule(
  ctx: Context,
  member: AdminVisit,
  reply: FastifyReply,
  id: string,
  outcome: ModuleOutcome,
  status?: number,
): Promise<FastifyReply> {
  const { modules: state, config } = ctx
  const { locked: isRunning } = await member.read(call(HubStatusRoute))
  const module = await member.read(call(ModuleStatusRoute, { params: { module_id: id } }))
  const modules = await member.read(call(DiscoveryRoute))
  const runs = await member.read(call(ModuleRunsRoute, { params: { module_id: id }, query: { limit: 10 } }))
  const { settings } = await member.read(call(SettingsRoute))
  const path = modulePath(module.module_id)
  const step = state.firstStep(module.module_id, config)
  const data = {
    area: member.area,
    runs,
    switches: settings.filter(({ name }) => module.switches.includes(name)),
    isRunning,
    mayAct: member.can('modules:run'),
    maySwitch: member.can('settings:write'),
    places: placesFor(ctx, state.placesOf(module.module_id, config), member),
    firstStep: step && ctx.staff.admits(step, member.profile.user.user_type) ? step : undefined,
    forms: { plan: member.sign(`${path}/plan`), switch: member.sign(`${path}/switch`) },
    timeZone: member.profile.user.tmz ?? null,
    outcome,
  }
  if (isRunning) reply.header('refresh', refreshSeconds)
  return member.show((page) => {
    const inWords = localized(ctx, page.lang)
    return modulePage({ ...data, module: inWords(module), modules: modules.map(inWords) }, page)
  }, status)
}

/** Keeps only the console pages that the visitor's role may open. */
function placesFor(
  { staff }: Context,
  { console: entries, ...places }: ModulePlaces,
  { profile }: AdminVisit,
): ModulePlaces {
  return { ...places, console: entries.filter((entry) => staff.admits(entry, profile.user.user_type)) }
}
