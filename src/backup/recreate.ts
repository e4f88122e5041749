import { loadTables } from '../db/bulk/load.ts'
import { type TableShape, useFixedTexts } from '../db/bulk/tables.ts'
import { clearMarks } from '../db/installation-marks.ts'
import { recreateSchema, runAndRegister, takeMigrationLock } from '../db/migrate.ts'
import type { Db } from '../db/tables.ts'
import type { LoadedModule } from '../hub/define-module.ts'
import { createHubTablesWithin } from '../hub/hub-tables.ts'
import { type AddedColumn, addMissingColumns, tablesLike } from './add-columns.ts'
import { assertNoTables } from './assert-empty.ts'
import type { AppliedMigration, BackupHeader } from './format.ts'
import { assertNotNewer, componentsOf } from './installed-tables.ts'
import { runSqlText } from './queries.ts'

export interface CopiedInstallation extends Pick<BackupHeader, 'migrations' | 'modules' | 'tables'> {}

interface Options {
  modules: readonly LoadedModule[]
  now: Date
  /** Writes every table's rows. Triggers are disabled during this call. */
  load(tables: readonly TableShape[]): Promise<void>
}

export interface RecreatedInstallation {
  /** Migrations that the copied installation lacked. */
  applied: string[]
  added: AddedColumn[]
}

/** Creates the tables as they were in the copied installation, loads their rows, and applies later migrations. */
export async function recreateInstallation(
  tx: Db,
  copied: CopiedInstallation,
  { modules, now, load }: Options,
): Promise<RecreatedInstallation> {
  await useFixedTexts(tx)
  // Prevents a service that is starting from creating tables.
  await takeMigrationLock(tx)
  await assertNoTables(tx, copied, modules)
  const later = await recreateSchema(tx, copied.migrations.map(withDate))
  if (copied.modules.length > 0) await installModules(tx, copied, modules)
  const added = await addMissingColumns(tx, copied.tables)
  const tables = await tablesLike(tx, copied.tables)
  await loadTables(tx, tables, () => load(tables))
  await clearMarks(tx)
  for (const file of later) await runAndRegister(tx, file, now)
  return { applied: later.map(({ name }) => name), added }
}

const withDate = (row: AppliedMigration) => ({ ...row, applied_at: new Date(row.applied_at) })

/**
 * Installs the current version of each component. If the data is from an earlier version, the module hub upgrades it
 * later. This is safe because module SQL can be run repeatedly.
 */
async function installModules(tx: Db, copied: CopiedInstallation, modules: readonly LoadedModule[]): Promise<void> {
  await createHubTablesWithin(tx)
  assertNotNewer(copied.modules, modules)
  for (const { component } of componentsOf(copied.modules, modules)) await runSqlText(tx, component.installSql)
}
