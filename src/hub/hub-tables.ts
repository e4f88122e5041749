import { readSqlFile } from '../db/sql-files.ts'
import type { Db } from '../db/tables.ts'
import { findHubTables, runShippedSql, waitForHubTables } from './queries.ts'

const directory = new URL('./', import.meta.url)

/** Creates what the hub remembers in, as far as it is absent. Gives which tables there were, and which are new. */
export async function createHubTables(db: Db): Promise<{ created: string[]; existing: string[] }> {
  const namesThat = (tables: { name: string; exists: boolean }[], exist: boolean) =>
    tables.filter(({ exists }) => exists === exist).map(({ name }) => name)
  return db.transaction().execute(async (change) => {
    await waitForHubTables(change)
    const before = await findHubTables(change)
    if (namesThat(before, false).length > 0) await runShippedSql(change, readSqlFile(directory, 'hub.sql').text)
    return { created: namesThat(before, false), existing: namesThat(before, true) }
  })
}
