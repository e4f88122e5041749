import { connectDatabase, type Database } from '../../db/connect.ts'
import { announcementStatement } from '../../db/installation-marks.ts'
import type { CommandEnvironment } from '../environment.ts'

/**
 * Unlike the first start of the service, this creates an embedded database without tables. The first statement in the
 * new database announces the restore or move, so that no service uses the database if the command is killed.
 */
export const openTarget = ({ config, log }: CommandEnvironment): Promise<Database> =>
  connectDatabase({
    url: config.DATABASE_URL,
    poolMax: config.DATABASE_POOL_MAX,
    dataDir: config.DATA_DIR,
    archive: undefined,
    firstStatement: announcementStatement,
    isForCommand: true,
    onDown: (error) => log.warn({ err: error }, 'lost a database connection'),
  })
