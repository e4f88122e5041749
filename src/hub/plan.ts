import { AppError } from '../lib/errors.ts'
import { compareVersions } from './compare-versions.ts'
import type { Component, Module } from './load-modules.ts'

/** What is to be installed: body members of the contract, completed with their defaults. */
export interface Target {
  target: 'core' | 'selected' | 'all'
  components: readonly string[]
}

/** What is known of the components of a module, by component. */
export type Found = ReadonlyMap<string, FoundComponent>

export interface FoundComponent {
  /** What the registry remembers of it in the runtime scope; undefined when it was never installed there. */
  row: { version: string; checksum: string } | undefined
  /** Whether all its tables and columns are there. */
  present: boolean
}

export type Action = 'install' | 'upgrade' | 'repair' | 'skip' | 'drift'

export interface Step {
  component: Component
  action: Action
  from: string | null
}

export interface ActionOptions {
  verify_checksum: boolean
  repair_missing: boolean
}

/** Every targeted component and the parents it needs, in the order of installation; also those a run would skip. */
export function resolveOrder(module: Module, { target, components }: Target, found: Found): string[] {
  if (target === 'core') return ['core']
  const ids = module.components.map(({ component_id }) => component_id)
  if (target === 'all') return ids
  const problem = problemOfSelection(ids, components)
  if (problem) throw new AppError('VALIDATION_ERROR', { details: [{ field: 'components', message: problem }] })
  const wanted = new Set(components)
  // From the last to the first: what a component depends on stands before it.
  for (const component of module.components.toReversed()) {
    if (wanted.has(component.component_id))
      for (const parent of extensionsAmong(component.depends_on)) wanted.add(parent)
  }
  if (!found.get('core')?.row) wanted.add('core')
  return ids.filter((id) => wanted.has(id))
}

function problemOfSelection(known: readonly string[], components: readonly string[]): string | undefined {
  if (components.length === 0) return 'must name at least one component when target is "selected"'
  if (new Set(components).size < components.length) return 'must not name a component twice'
  return components.every((id) => known.includes(id)) ? undefined : `must be among ${known.join(', ')}`
}

const extensionsAmong = (ids: readonly string[]) => ids.filter((id) => id !== 'core')

/** What a run does with each component of the order. */
export const planSteps = (module: Module, order: readonly string[], found: Found, options: ActionOptions): Step[] =>
  module.components
    .filter(({ component_id }) => order.includes(component_id))
    .map((component) => {
      const state = found.get(component.component_id)
      return { component, action: actionFor(component, state, options), from: state?.row?.version ?? null }
    })

export function actionFor(component: Component, found: FoundComponent | undefined, options: ActionOptions): Action {
  if (!found?.row) return 'install'
  const newer = compareVersions(component.version, found.row.version)
  if (newer > 0) return 'upgrade'
  if (newer < 0) return 'skip'
  const isSame = !options.verify_checksum || found.row.checksum === component.checksum
  if (isSame && found.present) return 'skip'
  return options.repair_missing ? 'repair' : 'drift'
}
