import { AppError } from '../lib/errors.ts'
import type { LoadedModule } from './define-module.ts'
import { type InstallRequest, planInstall } from './plan.ts'

/** One entry of MODULES_AUTO_INSTALL: `<module>`, `<module>:all` or `<module>:<component>+<component>`. */
export interface InstallTarget extends Pick<InstallRequest, 'target' | 'components'> {
  module: LoadedModule
}

export function installTargetsOf(entries: readonly string[], modules: readonly LoadedModule[]): InstallTarget[] {
  if (entries.includes('all')) return modules.map((module) => ({ module, target: 'all', components: [] }))
  const wanted = new Map(
    entries.map((entry) => installTargetOf(entry, modules)).map((requested) => [requested.module.id, requested]),
  )
  // The loop is reversed because dependencies precede their dependents.
  for (const { id, manifest } of modules.toReversed()) {
    if (wanted.has(id)) for (const needed of manifest.depends_on) addCore(wanted, needed, modules)
  }
  return modules.flatMap(({ id }) => wanted.get(id) ?? [])
}

export const installTargetProblems = (entries: readonly string[], modules: readonly LoadedModule[]): string[] =>
  entries
    .filter((entry) => entry !== 'all')
    .flatMap((entry) => {
      try {
        const { module, ...target } = installTargetOf(entry, modules)
        planInstall(module, { ...target, runtime_scope: '', verify_checksum: true, repair_missing: false }, new Map())
        return []
      } catch (error) {
        const [reason] = error instanceof AppError ? (error.details ?? []) : []
        if (reason) return [`MODULES_AUTO_INSTALL: in "${entry}", ${reason.field} ${reason.message}`]
        return [error instanceof Error ? error.message : String(error)]
      }
    })

function installTargetOf(entry: string, modules: readonly LoadedModule[]): InstallTarget {
  const [id, extent] = entry.split(':')
  const module = modules.find((known) => known.id === id)
  if (!module) {
    throw new Error(
      `MODULES_AUTO_INSTALL: there is no module "${id}". Modules: ${modules.map((known) => known.id).join(', ')}`,
    )
  }
  if (extent === undefined) return { module, target: 'core', components: [] }
  if (extent === 'all') return { module, target: 'all', components: [] }
  return { module, target: 'selected', components: extent.split('+') }
}

function addCore(wanted: Map<string, InstallTarget>, id: string, modules: readonly LoadedModule[]): void {
  const module = modules.find((known) => known.id === id)
  if (module && !wanted.has(id)) wanted.set(id, { module, target: 'core', components: [] })
}
