import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/load.ts'
import type { Database } from '../db/connect.ts'
import { isRetryableConflict } from '../db/errors.ts'
import { findMark, setMark } from '../db/installation-marks.ts'
import type { Db } from '../db/tables.ts'
import type { LoadedModule } from '../hub/define-module.ts'
import { second } from '../lib/time.ts'
import { assertNoTables, TargetNotEmpty } from './assert-empty.ts'
import { type CopyingPictures, copyTo, recordMove } from './copy-to-target.ts'
import { describeBackup } from './describe-backup.ts'
import { findInstalledComponents } from './find-components.ts'
import type { BackupHeader } from './format.ts'
import { rejectWrites } from './move-queries.ts'
import { countNodeConnections, findJobTables, lockAgainstWrites } from './queries.ts'
import { assertSameTables, findTables } from './read-tables.ts'
import type { OnProgress } from './write-backup.ts'

const closingLimit = 3 * second

interface Options {
  config: Config
  modules: readonly LoadedModule[]
  /** Shown to an operator who later opens the source database. */
  targetName: string
  /** Undefined if the pictures stay where they are. */
  pictures?: CopyingPictures | undefined
  onProgress: OnProgress
}

export interface MovedData {
  tables: number
  rows: number
  pictures: number
}

/** Throws if the move could overwrite data in the target. */
export async function assertMovable(source: Db, target: Db, modules: readonly LoadedModule[]): Promise<void> {
  if (await findMark(target, 'moving'))
    throw new TargetNotEmpty(
      'An earlier move to this database was interrupted before the original was marked, so its copy may be outdated. ' +
        'The original is still in use. Drop and create the database, or remove the data directory, and move again.',
    )
  const copied = { tables: await findTables(source, modules), modules: await findInstalledComponents(source, modules) }
  await assertNoTables(target, copied, modules)
}

/** The source keeps its data and rejects writes. The target is marked until `finishMove` has completed the move. */
export function moveData(source: Database, target: Database, options: Options): Promise<MovedData> {
  const { config, modules } = options
  const now = new Date()
  return source.alone(async (db) => {
    await assertUnused(db)
    const parts = { kind: source.kind, config, modules, pictures: 'none' as const, now }
    const found = await findTables(db, modules)
    const names = [...found.map(({ name }) => name), ...(await findJobTables(db))]
    return db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => {
        // The first query takes the transaction's snapshot, so the tables are locked before it.
        await lockAgainstWrites(tx, names).catch((error) => {
          throw isRetryableConflict(error) ? inUse() : error
        })
        const { header, tables } = await describeBackup({ ...parts, tx })
        assertSameTables(found, tables)
        const copied = await copyTo(target, {
          ...options,
          tx,
          header,
          tables,
          now,
          // Runs before the target's transaction commits so that only the source's commit can fail afterwards.
          close: () => closeSource(tx, { names, header, targetName: options.targetName }),
        })
        return { tables: tables.length, ...copied }
      })
  })
}

async function closeSource(
  tx: Db,
  { names, header, targetName }: { names: readonly string[]; header: BackupHeader; targetName: string },
): Promise<void> {
  await recordMove(tx, { copy: header.id, to: targetName })
  await setMark(tx, 'moved', `${targetName} on ${header.created_at.slice(0, 10)} (copy ${header.id})`)
  await rejectWrites(tx, names)
}

/** Whether the target contains the copy identified by the source's mark. */
export async function isCopyNamedBy(moved: string, target: Db): Promise<boolean> {
  const copy = await findMark(target, 'moving')
  return copy !== undefined && moved.endsWith(`(copy ${copy})`)
}

/** The server may continue to list closed connections for a moment. */
async function assertUnused(db: Db): Promise<void> {
  for (const deadline = performance.now() + closingLimit; (await countNodeConnections(db)) > 0; await sleep(100))
    if (performance.now() > deadline) throw inUse()
}

const inUse = (): Error =>
  new Error('The service is running on this database. Stop all nodes first. Nothing was changed.')
