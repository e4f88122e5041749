import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { archiveFile } from '../../src/db/open-database.ts'

const migrations = join(import.meta.dirname, '../../src/db/migrations')

/**
 * The archive of an empty database that the build made. Undefined if there is none, or if a schema file of this checkout
 * has been edited since.
 */
export function currentArchive(file = archiveFile, directory = migrations): string | undefined {
  const builtAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs
  const editedAt = Math.max(...readdirSync(directory).map((name) => statSync(join(directory, name)).mtimeMs))
  return builtAt === undefined || builtAt < editedAt ? undefined : file
}
