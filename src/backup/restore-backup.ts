import type { Config } from '../config/load.ts'
import type { Database } from '../db/connect.ts'
import { withRestoreLock } from '../db/restore-lock.ts'
import type { LoadedModule } from '../hub/define-module.ts'
import { prepareJobs } from '../jobs/start.ts'
import type { Logger } from '../lib/log.ts'
import { type FinishedRestore, finishRestore } from './finish-restore.ts'
import type { BackupEnd, BackupHeader } from './format.ts'
import { type BackupFile, readBackup } from './read-backup.ts'
import type { RecreatedInstallation } from './recreate.ts'
import { assertRestorable, restoreTables } from './restore.ts'
import { withContext } from './with-context.ts'
import type { OnProgress } from './write-backup.ts'

export interface VerifiedBackup {
  header: BackupHeader
  end: BackupEnd
  secrets: Buffer | undefined
}

export async function verifyBackup(file: BackupFile): Promise<VerifiedBackup> {
  let secrets: Buffer | undefined
  const read = await readBackup(file, {
    onPart: (part) => {
      if (part.kind === 'secrets') secrets = part.content
    },
  })
  return { ...read, secrets }
}

interface Options {
  file: BackupFile
  verified: VerifiedBackup
  config: Config
  log: Logger
  modules: readonly LoadedModule[]
  keepSessions: boolean
  keepKeys?: boolean
  onProgress: OnProgress
}

/** Restores to an empty database, or completes an interrupted restore. */
export const restoreBackup = (database: Database, options: Options): Promise<FinishedRestore & RecreatedInstallation> =>
  // A concurrent second run could mistake the first for an interrupted restore and, after the first has finished, end
  // new sessions.
  withRestoreLock(database, () => restoreAlone(database, options))

async function restoreAlone(
  database: Database,
  { file, verified, config, log, modules, keepSessions, keepKeys = false, onProgress }: Options,
): Promise<FinishedRestore & RecreatedInstallation> {
  const target = await assertRestorable(database.db, verified.header, modules)
  const recreated =
    target === 'interrupted'
      ? { applied: [], added: [] }
      : await restoreTables(database, { file, verified, modules, now: new Date(), onProgress })
  await prepareJobs(database)
  const finished = await withContext({ config, log, database, modules }, (ctx) =>
    finishRestore(ctx, { file, verified, modules, keepSessions, keepKeys, onProgress }),
  )
  return { ...finished, ...recreated }
}
