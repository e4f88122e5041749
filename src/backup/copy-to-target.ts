import type { FileStore } from '../adapters/files/port.ts'
import { commandLine, recordAudit } from '../audit/record.ts'
import { readRows, sumRows, type TableShape, writeRows } from '../db/bulk/tables.ts'
import type { Database } from '../db/connect.ts'
import { announceRestore, setMark, withdrawRestore } from '../db/installation-marks.ts'
import type { Db } from '../db/tables.ts'
import type { LoadedModule } from '../hub/define-module.ts'
import { serviceClock } from '../lib/time.ts'
import type { BackupHeader } from './format.ts'
import { type PictureNames, pictureNames, readPictures } from './picture-names.ts'
import { raiseAllEpochs, requeueMessages } from './queries.ts'
import { recreateInstallation } from './recreate.ts'
import type { OnProgress } from './write-backup.ts'

export interface CopyingPictures {
  from: FileStore
  to: FileStore
  allowMissing: boolean
}

interface Copied {
  rows: number
  pictures: number
}

interface Copying {
  tx: Db
  header: BackupHeader
  tables: readonly TableShape[]
  modules: readonly LoadedModule[]
  now: Date
  pictures?: CopyingPictures | undefined
  onProgress: OnProgress
  /** Called as the last step before the commit. */
  close(): Promise<void>
}

export async function copyTo(target: Database, copying: Copying): Promise<Copied> {
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
  { tx: from, header, tables, modules, now, pictures: moving, onProgress, close }: Copying,
): Promise<Copied> {
  let rows = 0
  const names = pictureNames()
  const load = async (targets: readonly TableShape[]) => {
    for (const table of targets) {
      const shape = tables.find(({ name }) => name === table.name) ?? table
      rows += await copyTable(from, to, { shape, table, names, onProgress })
    }
    await raiseAllEpochs(to)
    await requeueMessages(to)
  }
  await recreateInstallation(to, header, { modules, now, load })
  // The source accepts no writes until the end of the transaction, so no picture is added in the meantime.
  const pictures = moving ? await copyPictures(from, names, moving, onProgress) : 0
  await recordMove(to, { copy: header.id, from: header.database.kind, rows })
  await setMark(to, 'moving', header.id)
  await withdrawRestore(to)
  await close()
  return { rows, pictures }
}

async function copyPictures(
  tx: Db,
  names: PictureNames,
  { from: files, to, allowMissing }: CopyingPictures,
  onProgress: OnProgress,
): Promise<number> {
  let count = 0
  let missing = 0
  const onMissing = () => missing++
  for await (const { name, content } of readPictures({ tx, files, names, onMissing })) {
    await to.put(name, content, 'image/webp')
    count++
    onProgress('pictures', count)
  }
  if (missing > 0 && !allowMissing)
    throw new Error(
      `Missing: ${missing} pictures that the database refers to. Check that DATA_DIR and STORAGE_URL are those of the ` +
        'service. If the pictures are lost, add --allow-missing-pictures. The original was not changed.',
    )
  return count
}

async function copyTable(
  from: Db,
  to: Db,
  {
    shape,
    table,
    names,
    onProgress,
  }: { shape: TableShape; table: TableShape; names: PictureNames; onProgress: OnProgress },
): Promise<number> {
  let rows = 0
  for await (const lines of readRows(from, shape)) {
    for (const line of lines) names.find(line, table.name)
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
