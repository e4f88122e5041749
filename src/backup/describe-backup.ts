import { describeTables, type TableShape, useFixedTexts } from '../db/bulk/tables.ts'
import { assertSameSchema, findUnknownMigration } from '../db/migrate.ts'
import { newId } from '../lib/ids.ts'
import { version } from '../lib/version.ts'
import type { BackupSource } from './backup-source.ts'
import { findInstalledComponents } from './find-components.ts'
import { fingerprintsOf } from './fingerprints.ts'
import { type AppliedMigration, type BackupHeader, formatVersion } from './format.ts'
import { assertComplete, assertNotNewer, tablesToCopy } from './installed-tables.ts'
import { findAppliedMigrations, serverVersion } from './queries.ts'

/** The tables must be locked before the transaction's first query: see `readTables`. */
export async function describeBackup(
  source: Pick<BackupSource, 'tx' | 'kind' | 'config' | 'modules' | 'pictures' | 'now'>,
): Promise<{ header: BackupHeader; tables: TableShape[] }> {
  const { tx, kind, config, modules, pictures, now } = source
  await useFixedTexts(tx)
  const installed = await findInstalledComponents(tx, modules)
  const migrations = await findAppliedMigrations(tx)
  assertSameSchema(migrations)
  assertNoneLater(migrations)
  assertNotNewer(installed, modules)
  const tables = await describeTables(tx, tablesToCopy(installed, modules))
  assertComplete(tables, { migrations, modules: installed }, modules)
  const header: BackupHeader = {
    format: formatVersion,
    id: newId(),
    created_at: now.toISOString(),
    wardenry: version,
    database: { kind, version: await serverVersion(tx) },
    migrations,
    modules: installed,
    tables: tables.map(({ name, columns }) => ({ name, columns: [...columns] })),
    pictures,
    secrets: fingerprintsOf(config),
  }
  return { header, tables }
}

/** Tables created by later migrations would be missing from the copy. */
function assertNoneLater(migrations: readonly AppliedMigration[]): void {
  const later = findUnknownMigration(migrations)
  if (!later) return
  throw new Error(
    `A newer version of Wardenry has migrated the database: the migration ${later.name} is unknown here. Run this ` +
      'command with that version. Nothing was written.',
  )
}
