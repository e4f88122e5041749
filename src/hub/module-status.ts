import { compareVersions } from './check-manifests.ts'
import type { LoadedComponent, LoadedModule } from './define-module.ts'
import { isComplete, type ModuleStates } from './find-components.ts'
import { type PresentComponent, planActionFor } from './plan.ts'
import { missingDependencies } from './run.ts'

export type ComponentStatus = 'not_installed' | 'installed' | 'outdated' | 'drift' | 'missing' | 'ahead'
export type ModuleStatus = 'not_installed' | 'drift' | 'partial' | 'update_available' | 'installed'

const byDefault = { verify_checksum: true, repair_missing: false }

export function describeModule(
  module: LoadedModule,
  found: ModuleStates,
  scope: { runtimeScope: string; enabled: boolean },
) {
  const { manifest, components } = module
  const own = found.get(module.id)
  const described = components.map((component) => describeComponent(component, own?.get(component.component_id)))
  return {
    module_id: module.id,
    name: manifest.name,
    module_description: manifest.description,
    module_version: manifest.module_version,
    runtime_scope: scope.runtimeScope,
    runtime_scopes: manifest.runtime_scopes,
    depends_on: manifest.depends_on,
    status: statusOfModule(described),
    enabled: scope.enabled,
    switches: [...module.switches],
    missing_dependencies: missingDependencies(module, found),
    components: described,
  }
}

export type DescribedModule = ReturnType<typeof describeModule>

function describeComponent(
  component: LoadedComponent,
  found: PresentComponent = { row: undefined, present: false, intact: false },
) {
  const status = statusOfComponent(component, found)
  return {
    component_id: component.component_id,
    component_type: component.component_type,
    description: component.description,
    expected_version: component.version,
    installed_version: found.row?.version ?? null,
    installed: isComplete(found),
    status,
    checksum_ok: found.row ? found.row.checksum === component.checksum : null,
    drift: status === 'drift' || status === 'missing',
    action: planActionFor(component, found, byDefault),
    depends_on: component.depends_on,
  }
}

export function statusOfComponent(
  component: LoadedComponent,
  { row, present, intact }: PresentComponent,
): ComponentStatus {
  if (!row) return 'not_installed'
  const newer = compareVersions(component.version, row.version)
  // An outdated component lacks the columns of newer versions, but must not be reported as missing.
  if (newer !== 0) return newer > 0 ? 'outdated' : 'ahead'
  if (!present || !intact) return 'missing'
  return row.checksum === component.checksum ? 'installed' : 'drift'
}

export function statusOfModule(components: readonly { component_id: string; status: ComponentStatus }[]): ModuleStatus {
  const states = components.map(({ status }) => status)
  if (states.every((status) => status === 'not_installed')) return 'not_installed'
  if (states.includes('drift') || states.includes('missing')) return 'drift'
  if (states[0] === 'not_installed') return 'partial'
  return states.includes('outdated') ? 'update_available' : 'installed'
}
