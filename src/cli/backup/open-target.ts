import { connectDatabase, type Database } from '../../db/connect.ts'
import type { CommandEnvironment } from '../environment.ts'

/** Creates an embedded database without tables, unlike the service's first start. */
export const openTarget = ({ config, log }: CommandEnvironment): Promise<Database> =>
  connectDatabase({
    url: config.DATABASE_URL,
    poolMax: config.DATABASE_POOL_MAX,
    dataDir: config.DATA_DIR,
    archive: undefined,
    isForCommand: true,
    onDown: (error) => log.warn({ err: error }, 'lost a database connection'),
  })
