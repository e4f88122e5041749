import { chmod, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { syncPath } from '../../lib/durable-write.ts'
import { assertNotDamaged, holdsDatabase, removeUnfinished, unpackArchive } from './archive.ts'
import type { WireBytes } from './database-worker.ts'
import { type EmbeddedEngine, EngineGone, startEngine } from './engine.ts'
import { assertSameEngine, otherEngine, recordEngine, rejectedByEngine } from './engine-version.ts'

/**
 * `firstStatement` runs only if a database is created without `archive`, and before the database directory gets its
 * final name.
 */
export async function prepareDirectory(
  directory: string,
  { archive, firstStatement }: { archive: string | undefined; firstStatement?: string | undefined },
): Promise<void> {
  removeUnfinished(directory)
  assertNotDamaged(directory)
  if (!holdsDatabase(directory))
    unpackArchive(archive ? await readFile(archive) : await createArchive(firstStatement), directory)
  await chmod(directory, 0o700)
  // Syncs an existing directory too, because an earlier start may have been killed before this step.
  syncPath(dirname(directory))
}

export async function openDirectory(directory: string): Promise<EmbeddedEngine> {
  // Without this check, the engine would create an empty database, and the data loss would go unnoticed.
  if (!holdsDatabase(directory)) throw new EngineGone(`${directory} contains no database`)
  // The service's own lock protects the directory, so PostgreSQL's lock file is not needed. A lock file left empty by a
  // power failure would prevent startup.
  await rm(join(directory, 'postmaster.pid'), { force: true })
  await assertSameEngine(directory)
  try {
    const engine = await startEngine({ directory, archive: undefined })
    // The record is only informative, so a full disk must not prevent startup.
    await recordEngine(directory).catch(() => {})
    return engine
  } catch (error) {
    throw rejectedByEngine(error) ? await otherEngine(directory) : error
  }
}

export async function openInMemory(archive: string | undefined): Promise<EmbeddedEngine> {
  if (archive)
    return startEngine({ directory: undefined, archive: new Uint8Array(gunzipSync(await readFile(archive))) })
  const engine = await startEngine({ directory: undefined, archive: undefined })
  await dropTemplates(engine)
  return engine
}

// The template databases make up two thirds of all files and are needed only to create more databases.
async function dropTemplates(engine: EmbeddedEngine): Promise<void> {
  await engine.query("UPDATE pg_database SET datistemplate = false WHERE datname IN ('template0', 'template1')")
  await engine.query('DROP DATABASE template0')
  await engine.query('DROP DATABASE template1')
}

// initdb is not atomic, but unpacking an archive of its result is atomic.
async function createArchive(firstStatement: string | undefined): Promise<WireBytes> {
  const engine = await openInMemory(undefined)
  if (firstStatement) await engine.query(firstStatement)
  await engine.query('CHECKPOINT')
  const archive = await engine.dump()
  await engine.close()
  return archive
}
