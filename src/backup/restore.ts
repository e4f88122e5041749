import { type TableShape, writeRows } from '../db/bulk/tables.ts'
import type { Database } from '../db/connect.ts'
import { announceRestore, findMark, isInstalled, setMark, withdrawRestore } from '../db/installation-marks.ts'
import type { Db } from '../db/tables.ts'
import type { LoadedModule } from '../hub/define-module.ts'
import { assertNoTables, TargetNotEmpty } from './assert-empty.ts'
import { BackupChanged, BackupDamaged, type BackupEnd, type BackupHeader, countInPart, partOfTable } from './format.ts'
import { raiseAllEpochs, requeueMessages } from './queries.ts'
import { type BackupFile, readBackup } from './read-backup.ts'
import { type RecreatedInstallation, recreateInstallation } from './recreate.ts'
import type { OnProgress } from './write-backup.ts'

/** `interrupted`: the tables of this backup were restored, but the restore was not completed. */
export type RestoreTarget = 'empty' | 'interrupted'

/** Throws if the restore could overwrite data. */
export async function assertRestorable(
  db: Db,
  header: BackupHeader,
  modules: readonly LoadedModule[],
): Promise<RestoreTarget> {
  const mark = await findMark(db, 'restore')
  if (mark === header.id) return 'interrupted'
  if (mark)
    throw new TargetNotEmpty(
      'Another backup was not completely restored to this database. Complete that restore, or use an empty database.',
    )
  await assertNoTables(db, header, modules)
  return 'empty'
}

/** The announcement precedes all checks so that no service uses the database until the restore is complete. */
export async function announceIfEmpty(db: Db): Promise<void> {
  if (!(await isInstalled(db))) await announceRestore(db)
}

export async function prepareRestore(db: Db, header: BackupHeader, modules: readonly LoadedModule[]): Promise<void> {
  try {
    await assertRestorable(db, header, modules)
  } catch (error) {
    // The database is not empty, so the announcement is withdrawn.
    if (error instanceof TargetNotEmpty) await withdrawRestore(db)
    throw error
  }
}

interface Options {
  file: BackupFile
  verified: { header: BackupHeader; end: BackupEnd }
  modules: readonly LoadedModule[]
  now: Date
  onProgress: OnProgress
}

/** One transaction restores the tables and sets the mark. The service does not use a marked database. */
export async function restoreTables(database: Database, options: Options): Promise<RecreatedInstallation> {
  await announceRestore(database.db)
  return database.alone((db) => restoreWithin(db, options))
}

const restoreWithin = (db: Db, { file, verified, modules, now, onProgress }: Options) =>
  db.transaction().execute(async (tx) => {
    const { header, end } = verified
    const load = async (tables: readonly TableShape[]) => {
      await loadRows(tx, file, { tables, end, onProgress })
      await raiseAllEpochs(tx)
      await requeueMessages(tx)
    }
    const recreated = await recreateInstallation(tx, header, { modules, now, load })
    await setMark(tx, 'restore', header.id)
    await withdrawRestore(tx)
    return recreated
  })

interface Loading {
  tables: readonly TableShape[]
  end: BackupEnd
  onProgress: OnProgress
}

/** The file is verified again because it may have changed since the first verification. */
async function loadRows(tx: Db, file: BackupFile, { tables, end, onProgress }: Loading): Promise<void> {
  const counts = new Map<string, number>()
  const read = await readBackup(file, {
    onPart: async (part) => {
      if (part.kind !== 'rows') return
      const table = tables.find(({ name }) => name === part.table)
      if (!table) throw new BackupDamaged('it contains an unknown table')
      const count = (counts.get(table.name) ?? 0) + (await writeRows(tx, table, part.lines))
      counts.set(table.name, count)
      onProgress(table.name, count)
    },
  })
  if (read.end.sha256 !== end.sha256) throw new BackupChanged()
  for (const { name } of tables) {
    const expected = countInPart(end, partOfTable(name))
    if ((counts.get(name) ?? 0) !== expected)
      throw new Error(`Only ${counts.get(name) ?? 0} of ${expected} rows of "${name}" were restored`)
  }
}
