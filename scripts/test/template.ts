import { createDatabase, type PostgresServer, startPostgres } from '../../test/support/postgres.ts'

export const templateName = 'wardenry_template'

/**
 * A server with a migrated, empty database, which the suites copy for each application. For the embedded database, the
 * archive from `npm ci` serves the same purpose. Migrating an empty database has its own tests.
 */
export async function startWithTemplate(): Promise<PostgresServer> {
  const server = await startPostgres()
  try {
    await migrateTo(await createDatabase(server.url, templateName))
    return server
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** The service is loaded only if there is a server to prepare. */
async function migrateTo(url: string): Promise<void> {
  const { connectDatabase } = await import('../../src/db/connect.ts')
  const { migrate } = await import('../../src/db/migrate.ts')
  const { prepareJobs } = await import('../../src/jobs/start.ts')
  const database = await connectDatabase({ url, poolMax: 2, dataDir: undefined, archive: undefined, onDown: () => {} })
  try {
    await migrate(database.db, new Date())
    await prepareJobs(database)
  } finally {
    // A database with an open connection cannot be copied.
    await database.close()
  }
}
