import { AppError, invalidField } from '../lib/errors.ts'
import { compareVersions } from './check-manifests.ts'
import type { LoadedComponent, LoadedModule } from './define-module.ts'

export interface InstallRequest {
  target: 'core' | 'selected' | 'all'
  components: readonly string[]
  runtime_scope: string
  verify_checksum: boolean
  repair_missing: boolean
}

export interface UpdateRequest {
  /** Undefined selects all installed extensions. */
  components: readonly string[] | undefined
  runtime_scope: string
  verify_checksum: boolean
}

export type PresentComponents = ReadonlyMap<string, PresentComponent>

export interface PresentComponent {
  /** The registry row. Undefined if the component was never installed in this runtime scope. */
  row: { version: string; checksum: string } | undefined
  /** Whether all tables and columns exist. If not, the component is not served and blocks its dependents. */
  present: boolean
  /** Whether all indexes, functions and triggers exist as well. */
  intact: boolean
}

export type PlanAction = 'install' | 'upgrade' | 'repair' | 'skip' | 'drift'

export interface PlanStep {
  component: LoadedComponent
  action: PlanAction
  from: string | null
}

/** Returns the steps in installation order, including `skip` steps. */
export function planInstall(module: LoadedModule, request: InstallRequest, found: PresentComponents): PlanStep[] {
  const wanted = wantedIds(module, request, found)
  return module.components
    .filter(({ component_id: id }) => wanted.has(id))
    .map((component) => stepFor(component, found, (row) => planActionFor(component, row, request)))
}

function wantedIds(
  module: LoadedModule,
  { target, components }: InstallRequest,
  found: PresentComponents,
): Set<string> {
  const ids = module.components.map(({ component_id }) => component_id)
  if (target === 'core') return new Set(['core'])
  if (target === 'all') return new Set(ids)
  assertSelection(ids, components)
  const wanted = new Set(components)
  // The loop is reversed because dependencies precede their dependents.
  for (const { component_id, depends_on } of module.components.toReversed()) {
    if (wanted.has(component_id)) for (const parent of depends_on.filter(isExtension)) wanted.add(parent)
  }
  return found.get('core')?.row ? wanted : wanted.add('core')
}

function assertSelection(known: readonly string[], components: readonly string[]): void {
  if (components.length === 0) {
    throw invalidField('components', 'must name at least one component when target is "selected"')
  }
  assertKnown(known, components)
}

function assertKnown(known: readonly string[], components: readonly string[]): void {
  if (new Set(components).size < components.length) throw invalidField('components', 'must not contain duplicates')
  if (components.some((id) => !known.includes(id))) {
    throw invalidField('components', `must only contain ${known.join(', ')}`)
  }
}

const isExtension = (id: string): boolean => id !== 'core'

/** Returns steps only for components that are older than the manifest or, with `verify_checksum`, differ from it. */
export function planUpdate(module: LoadedModule, request: UpdateRequest, found: PresentComponents): PlanStep[] {
  const { components: named, verify_checksum } = request
  const ids = module.components.map(({ component_id }) => component_id)
  const isInstalled = (id: string) => found.get(id)?.row !== undefined
  if (named) assertKnown(ids, named)
  const missing = ['core', ...(named ?? [])].find((id) => !isInstalled(id))
  if (missing) {
    throw new AppError('module_not_installed', {
      details: [{ field: 'component', message: `${module.id}/${missing}` }],
    })
  }
  const options = { verify_checksum, repair_missing: true }
  const steps = module.components
    .filter(({ component_id: id }) => isInstalled(id))
    .map((component) =>
      stepFor(component, found, (row) => planActionFor(component, { ...row, present: true, intact: true }, options)),
    )
  const due = steps.filter(({ component: { component_id: id }, action }) => {
    return action !== 'skip' && (named ? named.includes(id) : isExtension(id))
  })
  const core = steps[0]
  const needsCore = core?.action === 'upgrade' && due.length > 0 && !due.includes(core)
  return needsCore ? [core, ...due] : due
}

const stepFor = (
  component: LoadedComponent,
  found: PresentComponents,
  decide: (found: PresentComponent) => PlanAction,
): PlanStep => {
  const state = found.get(component.component_id) ?? { row: undefined, present: false, intact: false }
  return { component, action: decide(state), from: state.row?.version ?? null }
}

/** Damaged or changed components are repaired only with `repair_missing`. */
export function planActionFor(
  component: LoadedComponent,
  { row, present, intact }: PresentComponent,
  options: Pick<InstallRequest, 'verify_checksum' | 'repair_missing'>,
): PlanAction {
  if (!row) return 'install'
  const newer = compareVersions(component.version, row.version)
  if (newer !== 0) return newer > 0 ? 'upgrade' : 'skip'
  const isSame = !options.verify_checksum || row.checksum === component.checksum
  if (isSame && present && intact) return 'skip'
  return options.repair_missing ? 'repair' : 'drift'
}
