import type { Db } from '../db/tables.ts'
import type { LoadedModule } from '../hub/define-module.ts'
import { findPresent } from '../hub/find-components.ts'
import type { InstalledComponent } from './format.ts'
import { findRegisteredComponents } from './queries.ts'

/** Includes unregistered components whose tables and columns all exist. Otherwise, their data would not be copied. */
export async function findInstalledComponents(db: Db, modules: readonly LoadedModule[]): Promise<InstalledComponent[]> {
  const installed = await findRegisteredComponents(db)
  const has = (module: string, component: string) =>
    installed.some(({ module_id, component_id }) => module_id === module && component_id === component)
  const present = await findPresent(db, modules, '')
  for (const { id, components, manifest } of modules) {
    for (const { component_id, version, depends_on, objects } of components) {
      const isPresent = objects.length > 0 && present.get(id)?.get(component_id)?.present
      if (has(id, component_id) || !isPresent) continue
      const isUsable = depends_on.every((one) => has(id, one)) && manifest.depends_on.every((one) => has(one, 'core'))
      if (isUsable) installed.push({ module_id: id, component_id, version })
    }
  }
  return installed
}
