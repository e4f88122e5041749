import { assertMayCreate } from '../db/create-rights.ts'
import { coreTables } from '../db/migrate.ts'
import { tablesIn } from '../db/sql-objects.ts'
import type { Db } from '../db/tables.ts'
import type { LoadedModule } from '../hub/define-module.ts'
import { hubTables } from '../hub/queries.ts'
import type { BackupHeader } from './format.ts'
import { componentsOf, tablesToCopy } from './installed-tables.ts'
import { findExisting, hasJobs } from './queries.ts'

interface Copied extends Pick<BackupHeader, 'modules'> {
  tables: readonly { name: string }[]
}

export class TargetNotEmpty extends Error {}

/** Module SQL does not fail on existing tables, and loading the copy would silently delete their rows. */
export async function assertNoTables(db: Db, copied: Copied, modules: readonly LoadedModule[]): Promise<void> {
  assertOwnTables(copied, modules)
  const ofModules = componentsOf(copied.modules, modules).flatMap(({ component }) => tablesIn(component.installSql))
  const names = [...coreTables(), ...hubTables, ...ofModules, ...copied.tables.map(({ name }) => name)]
  const [table] = await findExisting(db, ['schema_migrations', ...names])
  if (table === undefined && !(await hasJobs(db))) return assertMayCreate(db)
  throw new TargetNotEmpty(
    `The database is not empty: it has a table "${table ?? 'jobs.job'}". Use an empty one. Nothing was changed.`,
  )
}

/** Rejects copies that contain other programs' tables, because loading such a copy would empty those tables. */
function assertOwnTables({ tables, modules: installed }: Copied, modules: readonly LoadedModule[]): void {
  const own = tablesToCopy(installed, modules)
  const foreign = tables.find(({ name }) => !own.includes(name))
  if (!foreign) return
  throw new Error(
    `This version has no table "${foreign.name}". Use the version of Wardenry and its modules that the data was copied ` +
      'from, or a later one. Nothing was changed.',
  )
}
