import type { ComponentManifest, ModuleManifest } from './manifest-schemas.ts'

/** These module ids would conflict with hub routes. */
const reserved = ['status', 'dry-run', 'run']

/** Dependencies must precede their dependents, so the list is in installation order and has no cycles. */
export const problemsOfManifests = (manifests: readonly ModuleManifest[]): string[] =>
  manifests.flatMap((manifest, index) =>
    problemsOfManifest(
      manifest,
      manifests.slice(0, index).map(({ module_id }) => module_id),
    ).map((problem) => `${manifest.module_id}: ${problem}`),
  )

function problemsOfManifest({ module_id, depends_on, components }: ModuleManifest, before: string[]): string[] {
  return [
    ...(reserved.includes(module_id) ? ['this id is reserved'] : []),
    ...(before.includes(module_id) ? ['this id is used twice'] : []),
    ...depends_on.filter((id) => !before.includes(id)).map((id) => `depends on "${id}", which must come before it`),
    ...(components[0]?.component_id === 'core' ? [] : ['the first component must be "core"']),
    ...components.flatMap((component, index) =>
      problemsOfComponent(
        component,
        components.slice(0, index).map(({ component_id }) => component_id),
      ),
    ),
  ]
}

function problemsOfComponent(component: ComponentManifest, before: string[]): string[] {
  const { component_id: id, component_type: type, depends_on, install, upgrades, objects } = component
  const tables = objects.map(({ table }) => table)
  return [
    ...(before.includes(id) ? [`component "${id}" is declared twice`] : []),
    ...((type === 'core') === (id === 'core') ? [] : [`component "${id}" must not be of type ${type}`]),
    ...depends_on
      .filter((needed) => !before.includes(needed))
      .map((needed) => `component "${id}" depends on "${needed}", which must come before it`),
    ...(new Set(tables).size === tables.length ? [] : [`component "${id}" names a table twice`]),
    ...(objects.length > 0 && install.length === 0
      ? [`component "${id}" declares objects but no SQL that creates them`]
      : []),
    ...upgrades
      .filter(({ from, to }) => compareVersions(to, from) <= 0 || compareVersions(to, component.version) > 0)
      .map(({ from, to }) => `component "${id}" has an invalid upgrade from ${from} to ${to}`),
    ...(new Set(upgrades.map(({ from }) => from)).size === upgrades.length
      ? []
      : [`component "${id}" has two upgrades from one version`]),
  ]
}

export function compareVersions(one: string, other: string): number {
  const [ours, theirs] = [one.split('.').map(Number), other.split('.').map(Number)]
  const differing = ours.findIndex((part, index) => part !== theirs[index])
  return differing < 0 ? 0 : (ours[differing] ?? 0) - (theirs[differing] ?? 0)
}
