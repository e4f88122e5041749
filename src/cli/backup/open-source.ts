import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { commandLine, recordAudit } from '../../audit/record.ts'
import { connectDatabase, type Database } from '../../db/connect.ts'
import { assertNotDamaged, assertOwner, holdsDatabase } from '../../db/embedded/archive.ts'
import { requestCopy } from '../../db/embedded/control-socket.ts'
import { assertUsable } from '../../db/installation-marks.ts'
import { DataDirectoryBusy } from '../../db/lock-file.ts'
import { openDatabase } from '../../db/open-database.ts'
import { serviceClock } from '../../lib/time.ts'
import type { CommandEnvironment } from '../environment.ts'

export interface BackupInput {
  database: Database
  close(): Promise<void>
}

/** Opens the database. If the service is using an embedded database, opens a copy of it instead. */
export async function openBackupSource({ config, log }: CommandEnvironment): Promise<BackupInput> {
  if (config.DATABASE_URL === undefined) assertPresent(config.DATA_DIR)
  try {
    const database = await openDatabase(config, log)
    try {
      await assertUsable(database.db)
      const parts = { db: database.db, clock: serviceClock({ now: Date.now }), node: 'command-line' }
      await recordAudit(parts, { event: 'backup_started', actor: commandLine })
    } catch (error) {
      await database.close()
      throw error
    }
    return { database, close: database.close }
  } catch (error) {
    if (!(error instanceof DataDirectoryBusy)) throw error
    return openCopy(config.DATA_DIR, error)
  }
}

export function assertPresent(dataDir: string): void {
  const directory = join(dataDir, 'postgres')
  assertNotDamaged(directory)
  if (!holdsDatabase(directory))
    throw new Error(`There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL as for the service`)
}

async function openCopy(dataDir: string, busy: DataDirectoryBusy): Promise<BackupInput> {
  // Without this check, the owner of the directory could trick another user, such as root, into changing other files.
  assertOwner(dataDir)
  const directory = await requestCopy(dataDir).catch((error) => {
    if (!['ENOENT', 'ECONNREFUSED', 'EACCES', 'EINVAL'].includes(error.code)) throw error
    throw new Error(`${busy.message}\nThat process does not offer a copy of the database (${error.code}).`)
  })
  let database: Database | undefined
  const close = async () => {
    await database?.close()
    await rm(directory, { recursive: true, force: true })
  }
  try {
    const options = { url: undefined, poolMax: 1, archive: undefined, onDown: () => {} }
    database = await connectDatabase({ ...options, dataDir: directory })
    // The process that has the database open may be running a restore or a move.
    await assertUsable(database.db)
    return { database, close }
  } catch (error) {
    await close()
    throw error
  }
}
