import { coreTables, tablesOfMigrations } from '../db/migrate.ts'
import { tablesIn } from '../db/sql-objects.ts'
import { compareVersions } from '../hub/check-manifests.ts'
import type { LoadedComponent, LoadedModule } from '../hub/define-module.ts'
import { hubTables } from '../hub/queries.ts'
import type { BackupHeader, InstalledComponent } from './format.ts'

/**
 * The rows of these tables contain transaction ids of one server and locks of running module installations, which are
 * useless in another database.
 */
const neverCopied = new Set(['session_revocations', 'module_hub_locks'])

export interface ComponentSql {
  component: LoadedComponent
  installed: InstalledComponent
}

/** Sorted in installation order. */
export function componentsOf(
  installed: readonly InstalledComponent[],
  modules: readonly LoadedModule[],
): ComponentSql[] {
  assertKnown(installed, modules)
  return modules.flatMap(({ id, components }) =>
    components.flatMap((component) => {
      const found = installed.find((one) => one.module_id === id && one.component_id === component.component_id)
      return found ? [{ component, installed: found }] : []
    }),
  )
}

/** The tables of the core and of the installed modules. Other programs may have tables in the same database. */
export function tablesToCopy(installed: readonly InstalledComponent[], modules: readonly LoadedModule[]): string[] {
  const ofModules = componentsOf(installed, modules).flatMap(({ component: { objects, installSql } }) => [
    ...objects.map(({ table }) => table),
    ...tablesIn(installSql),
  ])
  return [...new Set([...coreTables(), ...hubTables, ...ofModules])].filter((name) => !neverCopied.has(name))
}

/** Tables that are invisible to the role or in another schema would be missing from the copy. */
export function assertComplete(
  found: readonly { name: string }[],
  { migrations, modules: installed }: Pick<BackupHeader, 'migrations' | 'modules'>,
  modules: readonly LoadedModule[],
): void {
  // Earlier versions of a component may lack some of its current tables.
  const ofModules = componentsOf(installed, modules).flatMap(({ component, installed: { version } }) =>
    version === component.version ? tablesIn(component.installSql) : [],
  )
  const wanted = [...tablesOfMigrations(migrations.map(({ name }) => name)), ...ofModules]
  const lost = wanted.find((name) => !neverCopied.has(name) && !found.some((table) => table.name === name))
  if (lost === undefined) return
  throw new Error(
    `The role of the database cannot find the table "${lost}": check the search_path of the role, and the schema of the ` +
      'table. Nothing was written.',
  )
}

/** An older version of a module does not know the tables that a newer version has added. */
export function assertNotNewer(installed: readonly InstalledComponent[], modules: readonly LoadedModule[]): void {
  for (const { component, installed: one } of componentsOf(installed, modules))
    if (compareVersions(one.version, component.version) > 0)
      throw new Error(
        `The component "${one.component_id}" of the module "${one.module_id}" has version ${one.version}. Here, it has ` +
          `only version ${component.version}: use the newer version of the module. Nothing was written.`,
      )
}

/** Without the module's code, its tables are unknown and would be missing from the copy. */
function assertKnown(installed: readonly InstalledComponent[], modules: readonly LoadedModule[]): void {
  const unknown = installed.find(
    ({ module_id, component_id }) =>
      !modules.some(
        ({ id, components }) => id === module_id && components.some((one) => one.component_id === component_id),
      ),
  )
  if (!unknown) return
  throw new Error(
    `The component "${unknown.component_id}" of the module "${unknown.module_id}" is installed, but its code is not ` +
      'here: add the folder of the module to MODULE_PATHS. Nothing was written.',
  )
}
