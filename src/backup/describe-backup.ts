import { describeTables, type TableShape, useFixedTexts } from '../db/bulk/tables.ts'
import { newId } from '../lib/ids.ts'
import { version } from '../lib/version.ts'
import { findInstalledComponents } from './find-components.ts'
import { fingerprintsOf } from './fingerprints.ts'
import { type BackupHeader, formatVersion } from './format.ts'
import { assertComplete, tablesToCopy } from './installed-tables.ts'
import { findAppliedMigrations, serverVersion } from './queries.ts'
import type { BackupSource } from './write-backup.ts'

/** The tables must be locked before the transaction's first query: see `readTables`. */
export async function describeBackup(
  source: Pick<BackupSource, 'tx' | 'kind' | 'config' | 'modules' | 'pictures' | 'now'>,
): Promise<{ header: BackupHeader; tables: TableShape[] }> {
  const { tx, kind, config, modules, pictures, now } = source
  await useFixedTexts(tx)
  const installed = await findInstalledComponents(tx, modules)
  const migrations = await findAppliedMigrations(tx)
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
