import { isDeepStrictEqual } from 'node:util'
import { openFiles } from '../../adapters/files/index.ts'
import { finishMove } from '../../backup/finish-move.ts'
import { assertMovable, isCopyNamedBy, type MovedData, moveData } from '../../backup/move.ts'
import { hasSecretsFile, readSecretsFile, restoreSecretsFile, secretsIn } from '../../config/generated-secrets.ts'
import type { Config } from '../../config/load.ts'
import { filePlace } from '../../create-context.ts'
import type { Database } from '../../db/connect.ts'
import { assertUsable, findMark } from '../../db/installation-marks.ts'
import { bringUpToDate, openDatabase } from '../../db/open-database.ts'
import { withRestoreLock } from '../../db/restore-lock.ts'
import type { LoadedModule } from '../../hub/define-module.ts'
import { loadModules } from '../../hub/load-modules.ts'
import { allModules } from '../../modules/external.ts'
import type { CommandEnvironment } from '../environment.ts'
import { openWhenFree } from '../open-app.ts'
import { type MovePlace, readMovePlace } from './move-place.ts'
import { assertPresent } from './open-source.ts'
import { openTarget } from './open-target.ts'
import { showProgress } from './progress.ts'

interface Options {
  /** A URL or a directory. */
  to: string
  endSessions: boolean
  allowMissing: boolean
}

export async function moveToTarget(environment: CommandEnvironment, options: Options): Promise<string> {
  const { config, log } = environment
  const { to, endSessions, allowMissing } = options
  const place = readMovePlace(to)
  const targetConfig: Config = { ...config, DATABASE_URL: place.url, DATA_DIR: place.dataDir ?? config.DATA_DIR }
  const modules = loadModules(await allModules(config))
  const closers: (() => unknown)[] = []
  try {
    const source = await openOriginal(environment)
    closers.push(source.close)
    const earlier = await findEarlierMove(environment, source, place)
    const target = await openTarget({ ...environment, config: targetConfig })
    closers.push(target.close)
    return await withRestoreLock(target, async () => {
      const outcome = earlier
        ? await assertUnfinished(source, target, earlier)
        : await copyAll({ config, targetConfig, source, target, modules, place, allowMissing })
      await finishMove({ config: targetConfig, log, database: target, modules, endSessions })
      return report(config, { ...outcome, place, endSessions })
    })
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

async function openOriginal({ config, log }: CommandEnvironment): Promise<Database> {
  if (config.DATABASE_URL === undefined) assertPresent(config.DATA_DIR)
  return openWhenFree(() => openDatabase(config, log), 'Stop the service, and move its data then.')
}

/** Returns the mark from an earlier move to the same target. That move may be incomplete. */
async function findEarlierMove(
  { config, log }: CommandEnvironment,
  source: Database,
  { name }: MovePlace,
): Promise<string | undefined> {
  const moved = await findMark(source.db, 'moved')
  if (moved?.startsWith(`${name} on `)) return moved
  await bringUpToDate(config, log, source)
  return undefined
}

async function assertUnfinished(source: Database, target: Database, moved: string): Promise<Copied> {
  if (!(await isCopyNamedBy(moved, target.db))) await assertUsable(source.db)
  return { moved: undefined }
}

interface Copied {
  /** Undefined if an earlier run copied everything. */
  moved: MovedData | undefined
}

interface Copying {
  config: Config
  targetConfig: Config
  source: Database
  target: Database
  modules: readonly LoadedModule[]
  place: MovePlace
  allowMissing: boolean
}

async function copyAll(copying: Copying): Promise<Copied> {
  const { config, targetConfig, source, target, modules, place, allowMissing } = copying
  await assertMovable(source.db, target.db, modules)
  const onProgress = showProgress()
  const isToDirectory = place.dataDir !== undefined
  if (isToDirectory) takeSecretsAlong(config, targetConfig.DATA_DIR)
  const pictures =
    isToDirectory && config.STORAGE_URL.kind === 'local'
      ? { from: await openFiles(filePlace(config)), to: await openFiles(filePlace(targetConfig)), allowMissing }
      : undefined
  return { moved: await moveData(source, target, { config, modules, targetName: place.name, pictures, onProgress }) }
}

function takeSecretsAlong({ generated, DATA_DIR }: Config, dataDir: string): void {
  if (generated.length === 0) return
  // BRIDGE_SECRET may differ, because no data depends on it.
  const names = generated.filter((name) => name !== 'BRIDGE_SECRET')
  const own = readSecretsFile(DATA_DIR)
  if (!hasSecretsFile(dataDir)) restoreSecretsFile(dataDir, own)
  else if (!isDeepStrictEqual(secretsIn(readSecretsFile(dataDir), names), secretsIn(own, names)))
    throw new Error(
      `${dataDir}/secrets.json does not contain the secrets of the original. Use another directory, or move the file ` +
        'away. Nothing was changed.',
    )
}

interface Outcome extends Copied {
  place: MovePlace
  endSessions: boolean
}

function report(config: Config, { place, moved, endSessions }: Outcome): string {
  const isGenerated = config.generated.some((name) => name !== 'BRIDGE_SECRET')
  const lines = [
    moved
      ? `Moved ${moved.rows} rows in ${moved.tables} tables to ${place.name}. Each table equals its original.`
      : `Completed the earlier move to ${place.name}.`,
    endSessions ? 'All sessions have ended.' : 'Users stay signed in.',
    'Before you start the service:',
    place.url === undefined
      ? `  Set DATA_DIR to ${place.dataDir}, and remove DATABASE_URL.`
      : '  Set DATABASE_URL to the new database.',
    isGenerated &&
      place.url !== undefined &&
      `  Set AUTH_SECRET and DATA_KEYS to their values in ${config.DATA_DIR}/secrets.json, DATA_KEYS with "1:" before the ` +
        'value unless it contains a colon.',
    !isGenerated && '  Keep AUTH_SECRET, DATA_KEYS and PEPPERS as they are.',
    place.url !== undefined &&
      config.STORAGE_URL.kind === 'local' &&
      `  Keep DATA_DIR: the pictures stay in ${config.DATA_DIR}/files.`,
    moved !== undefined && moved.pictures > 0 && `Copied ${moved.pictures} files of pictures.`,
    'The original still contains all data. The service refuses to use it until you run "wardenry move --undo --yes" there.',
  ]
  return lines
    .filter((line) => line !== false)
    .map((line) => `${line}\n`)
    .join('')
}
