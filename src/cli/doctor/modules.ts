import type { Config } from '../../config/load.ts'
import type { Database } from '../../db/connect.ts'
import { findLost, nameOfObject } from '../../db/sql-objects.ts'
import type { LoadedModule } from '../../hub/define-module.ts'
import { findComponents, findPresent } from '../../hub/find-components.ts'
import { installTargetsOf } from '../../hub/install-targets.ts'
import { loadModules } from '../../hub/load-modules.ts'
import { type ComponentStatus, statusOfComponent } from '../../hub/module-status.ts'
import { planInstall } from '../../hub/plan.ts'
import { allModules } from '../../modules/external.ts'
import { type DoctorFinding, ok, problem } from './finding.ts'

const about = 'Modules'

export async function examineModules({ db }: Database, config: Config): Promise<DoctorFinding> {
  const modules = loadModules(await allModules(config))
  const found = await findComponents(db, modules, config.RUNTIME_SCOPE)
  const states = modules.flatMap((module) =>
    module.components.flatMap((component) => {
      const state = found.get(module.id)?.get(component.component_id)
      return state?.row ? [{ module, component, status: statusOfComponent(component, state) }] : []
    }),
  )
  const damaged = states.filter(({ status }) => reasons[status] !== undefined)
  if (damaged.length === 0)
    return ok(about, states.length === 0 ? 'none installed' : 'all unchanged since their installation')
  const lines = await Promise.all(
    damaged.map(async ({ module, component, status }) => {
      const lost = (await findLost(db, component.furtherObjects)).map(nameOfObject).join(', ')
      return `${module.id}/${component.component_id} ${reasons[status]}${lost && `: ${lost}`}`
    }),
  )
  const repairs = [...new Set(damaged.map(({ module }) => module))].map((module) => {
    const ids = damaged.filter((one) => one.module === module).map(({ component }) => component.component_id)
    return `Repair: wardenry module install ${module.id} --components ${ids.join(',')} --repair-missing`
  })
  const refused = (await rejectedAtStart(db, config, modules)).join(', ')
  const start = refused && `Until then, the service does not start, because MODULES_AUTO_INSTALL contains ${refused}.`
  return problem(about, [...lines, ...repairs, ...(start ? [start] : [])].join('\n'))
}

const reasons: Partial<Record<ComponentStatus, string>> = {
  missing: 'is missing tables, columns, indexes, functions or triggers',
  drift: 'was installed with different SQL from that of this release',
}

async function rejectedAtStart(
  db: Database['db'],
  config: Config,
  modules: readonly LoadedModule[],
): Promise<string[]> {
  const { MODULES_AUTO_INSTALL, RUNTIME_SCOPE: runtime_scope } = config
  const found = await findPresent(db, modules, runtime_scope)
  return installTargetsOf(MODULES_AUTO_INSTALL, modules).flatMap(({ module, ...target }) => {
    const request = { ...target, runtime_scope, verify_checksum: true, repair_missing: false }
    const steps = planInstall(module, request, found.get(module.id) ?? new Map())
    return steps.some(({ action }) => action === 'drift') ? [module.id] : []
  })
}
