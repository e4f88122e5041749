import { undoMove } from '../../backup/undo-move.ts'
import { findMark } from '../../db/installation-marks.ts'
import { openDatabase } from '../../db/open-database.ts'
import { withRestoreLock } from '../../db/restore-lock.ts'
import { loadModules } from '../../hub/load-modules.ts'
import { allModules } from '../../modules/external.ts'
import { confirm } from '../ask.ts'
import type { CommandEnvironment } from '../environment.ts'
import { assertPresent } from './open-source.ts'
import { describeEndedKeys, describePostponed, describeRevoked } from './progress.ts'

interface Options {
  keepSessions: boolean
  isAgreed: boolean | undefined
}

export async function undoMoveFromHere(
  { config, log }: CommandEnvironment,
  { keepSessions, isAgreed }: Options,
): Promise<string> {
  if (config.DATABASE_URL === undefined) assertPresent(config.DATA_DIR)
  const database = await openDatabase(config, log, { isForCommand: true })
  try {
    const moved = await findMark(database.db, 'moved')
    if (moved === undefined) return 'The data of this database was not moved. Nothing was changed.\n'
    await confirm('Changes made in the other database since the move are not in this one.', isAgreed)
    const modules = loadModules(await allModules(config))
    const { ended, postponed, revoked, keys } = await withRestoreLock(database, () =>
      undoMove({ config, log, database, modules, moved, keepSessions }),
    )
    const lines = [
      'The service can use this database again.',
      ended
        ? `Ended ${ended.sessions} sessions and invalidated ${ended.secrets} unused links and codes.`
        : 'Users stay signed in, even where a session has ended or a password has changed in the other database.',
      describeRevoked(revoked),
      describeEndedKeys(keys),
      describePostponed(postponed),
    ]
    return lines
      .filter((line) => line !== false)
      .map((line) => `${line}\n`)
      .join('')
  } finally {
    await database.close()
  }
}
