import { createDatabase, type PostgresServer, startPostgres } from '../../test/support/postgres.ts'

export const templateName = 'wardenry_template'

/**
 * Starts a server with an empty, migrated database. The tests copy this database for each application instead of
 * migrating a new one. The embedded database uses the archive from `npm ci` instead.
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

/** Imports the service's modules here so that they are loaded only if a server is prepared. */
async function migrateTo(url: string): Promise<void> {
  const { connectDatabase } = await import('../../src/db/connect.ts')
  const { migrate } = await import('../../src/db/migrate.ts')
  const { prepareJobs } = await import('../../src/jobs/start.ts')
  const database = await connectDatabase({ url, poolMax: 2, dataDir: undefined, archive: undefined, onDown: () => {} })
  try {
    await migrate(database.db, new Date())
    await prepareJobs(database)
  } finally {
    // PostgreSQL cannot copy a database that has open connections.
    await database.close()
  }
}
