import type { Module } from './load-modules.ts'
import type { InstallRequest } from './plan.ts'

/** One entry of MODULES_AUTO_INSTALL: `blog`, `blog:all`, `blog:ext-a+ext-b`. */
export interface Wish extends Pick<InstallRequest, 'target' | 'components'> {
  module: Module
}

/** What is named, and what that depends on; each after what it depends on. */
export function wishesOf(entries: readonly string[], modules: readonly Module[]): Wish[] {
  if (entries.includes('all')) return modules.map((module) => ({ module, target: 'all', components: [] }))
  const wanted = new Map(entries.map((entry) => wishOf(entry, modules)).map((wish) => [wish.module.id, wish]))
  // From the last to the first: what a module depends on stands before it.
  for (const { id, manifest } of modules.toReversed()) {
    if (wanted.has(id)) for (const needed of manifest.depends_on) addCore(wanted, needed, modules)
  }
  return modules.flatMap(({ id }) => wanted.get(id) ?? [])
}

function wishOf(entry: string, modules: readonly Module[]): Wish {
  const [id, extent] = entry.split(':')
  const module = modules.find((known) => known.id === id)
  if (!module) throw new Error(`MODULES_AUTO_INSTALL: there is no module "${id}"`)
  if (extent === undefined) return { module, target: 'core', components: [] }
  if (extent === 'all') return { module, target: 'all', components: [] }
  return { module, target: 'selected', components: extent.split('+') }
}

function addCore(wanted: Map<string, Wish>, id: string, modules: readonly Module[]): void {
  const module = modules.find((known) => known.id === id)
  if (module && !wanted.has(id)) wanted.set(id, { module, target: 'core', components: [] })
}
