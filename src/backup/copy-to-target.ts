import { commandLine, recordAudit } from '../audit/record.ts'
import { readRows, sumRows, type TableShape, writeRows } from '../db/bulk/tables.ts'
import type { Database } from '../db/connect.ts'
import { announceRestore, setMark, withdrawRestore } from '../db/installation-marks.ts'
import type { Db } from '../db/tables.ts'
import type { LoadedModule } from '../hub/load-modules.ts'
import { serviceClock } from '../lib/time.ts'
import type { BackupHeader } from './format.ts'
import { raiseAllEpochs, requeueMessages } from './queries.ts'
import { recreateInstallation } from './recreate.ts'
import type { OnProgress } from './write-backup.ts'

interface Copying {
  tx: Db
  header: BackupHeader
  tables: readonly TableShape[]
  modules: readonly LoadedModule[]
  now: Date
  onProgress: OnProgress
  /** Called as the last step before the commit. */
  close(): Promise<void>
}

export async function copyTo(target: Database, copying: Copying): Promise<number> {
  await announceRestore(target.db)
  try {
    return await target.alone((db) => db.transaction().execute((to) => copyWithin(to, copying)))
  } catch (error) {
    // The database is empty again. If it is unreachable, the next move or restore removes the announcement.
    await withdrawRestore(target.db).catch(() => {})
    throw error
  }
}

async function copyWithin(
  to: Db,
  { tx: from, header, tables, modules, now, onProgress, close }: Copying,
): Promise<number> {
  let rows = 0
  const load = async (targets: readonly TableShape[]) => {
    for (const table of targets) {
      const shape = tables.find(({ name }) => name === table.name) ?? table
      rows += await copyTable(from, to, { shape, table, onProgress })
    }
    await raiseAllEpochs(to)
    await requeueMessages(to)
  }
  await recreateInstallation(to, header, { modules, now, load })
  await recordMove(to, { copy: header.id, from: header.database.kind, rows })
  await setMark(to, 'moving', header.id)
  await withdrawRestore(to)
  await close()
  return rows
}

async function copyTable(
  from: Db,
  to: Db,
  { shape, table, onProgress }: { shape: TableShape; table: TableShape; onProgress: OnProgress },
): Promise<number> {
  let rows = 0
  for await (const lines of readRows(from, shape)) {
    rows += await writeRows(to, table, lines)
    onProgress(table.name, rows)
  }
  const [original, copied] = [await sumRows(from, shape), await sumRows(to, table)]
  if (original.rows !== copied.rows || original.sum !== copied.sum)
    throw new Error(`The copy of the table "${table.name}" differs from the original. Nothing was changed.`)
  return rows
}

export const recordMove = (db: Db, details: Record<string, string | number>) =>
  recordAudit(
    { db, clock: serviceClock({ now: Date.now }), node: 'command-line' },
    { event: 'data_moved', actor: commandLine, details },
  )
