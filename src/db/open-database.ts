import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/load.ts'
import type { Logger } from '../lib/log.ts'
import { connectDatabase, type Database } from './connect.ts'
import { assertMayCreate } from './create-rights.ts'
import { assertUsable } from './installation-marks.ts'
import { migrate, pendingMigrations } from './migrate.ts'

/** An empty, migrated database built by `npm ci`. The first startup unpacks it. */
export const archiveFile = join(import.meta.dirname, '../../build/embedded.tar.gz')

type Extras = Pick<Parameters<typeof connectDatabase>[0], 'tracing' | 'isForCommand'>

export const openDatabase = (config: Config, log: Logger, extras: Extras = {}): Promise<Database> =>
  connectDatabase({
    ...extras,
    url: config.DATABASE_URL,
    poolMax: config.DATABASE_POOL_MAX,
    dataDir: config.DATA_DIR,
    archive: existsSync(archiveFile) ? archiveFile : undefined,
    onDown: (error) => log.warn({ err: error }, 'lost a database connection'),
  })

export async function bringUpToDate(config: Config, log: Logger, database: Database): Promise<string[]> {
  const pending = await pendingMigrations(database.db)
  // `assertUsable` runs after the query, because a restore may begin while the query is running.
  await assertUsable(database.db)
  if (pending.length === 0) return []
  if (!config.AUTO_MIGRATE) {
    throw new Error(
      `The database needs ${pending.length} migrations and AUTO_MIGRATE is false: run "wardenry migrate" first`,
    )
  }
  await assertMayCreate(database.db)
  // Creating an index on a large table takes longer than a request may.
  const applied = await database.alone((db) => migrate(db, new Date()))
  // Checked again, because `migrate` may have waited for a restore, which holds the migration lock until its tables are
  // complete.
  await assertUsable(database.db)
  if (applied.length > 0) log.info({ applied }, 'database migrated')
  return applied
}
