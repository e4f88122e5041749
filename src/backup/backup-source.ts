import type { FileStore } from '../adapters/files/port.ts'
import type { Config } from '../config/load.ts'
import type { Db } from '../db/tables.ts'
import type { LoadedModule } from '../hub/define-module.ts'
import type { BackupEnd, BackupHeader } from './format.ts'

export interface BackupSource {
  /** A transaction that reads a single snapshot. */
  tx: Db
  kind: BackupHeader['database']['kind']
  config: Config
  modules: readonly LoadedModule[]
  files: FileStore
  pictures: BackupHeader['pictures']
  /** The content of `secrets.json`. Undefined if the backup does not include secrets. */
  secrets: Buffer | undefined
  now: Date
  onEnd?(end: BackupEnd): void
}
