// Setup: embedded database
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { engineMajor } from '../../src/db/embedded/engine-version.ts'
import { openEmbedded } from '../../src/db/embedded/open.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const archive = new URL('../../build/embedded.tar.gz', import.meta.url).pathname

const pglite = new URL('../../node_modules/@electric-sql/pglite/package.json', import.meta.url)
const current = `PostgreSQL 18, PGlite ${JSON.parse(readFileSync(pglite, 'utf8')).version}`

async function closedDatabase() {
  const dataDir = temporaryDirectory('engine')
  const database = await openEmbedded({ dataDir, archive })
  const [row] = await database.query<{ server_version: string }>('SHOW server_version')
  await database.close()
  return { dataDir, files: join(dataDir, 'postgres'), version: row!.server_version }
}

const refused = (dataDir: string, creator: string) => ({
  message:
    `The embedded database in ${dataDir} was created by ${creator}, but this release contains ${current}. ` +
    `Run "wardenry backup FILE" with the release that you used before. Then move ${join(dataDir, 'postgres')} away, ` +
    'and run "wardenry restore FILE" with this release. Nothing has been changed.',
})

test('a data directory names the engine that opened it last', async () => {
  const { files, version } = await closedDatabase()
  assert.equal(Number.parseInt(version, 10), engineMajor)
  assert.equal(await readFile(join(files, 'wardenry.engine'), 'utf8'), `${current}\n`)
})

test('files of another version of PostgreSQL are refused and stay as they are', async () => {
  const { dataDir, files } = await closedDatabase()
  await writeFile(join(files, 'PG_VERSION'), '17\n')
  await writeFile(join(files, 'wardenry.engine'), 'PostgreSQL 17, PGlite 0.4.1\n')
  await assert.rejects(openEmbedded({ dataDir, archive }), refused(dataDir, 'PostgreSQL 17, PGlite 0.4.1'))
  // Databases from older releases have no record of the engine version.
  await writeFile(join(files, 'wardenry.engine'), '')
  await assert.rejects(openEmbedded({ dataDir, archive }), refused(dataDir, 'PostgreSQL 17'))
  assert.equal(await readFile(join(files, 'PG_VERSION'), 'utf8'), '17\n')
})

test('files that the engine itself refuses get the same response', async () => {
  const { dataDir, files } = await closedDatabase()
  const control = await open(join(files, 'global/pg_control'), 'r+')
  // In the control file, the version number follows the 8-byte system identifier (src/include/catalog/pg_control.h).
  await control.write(Buffer.from([1, 2, 0, 0]), 0, 4, 8)
  await control.close()
  const creator = (await readFile(join(files, 'wardenry.engine'), 'utf8')).trim()
  await assert.rejects(openEmbedded({ dataDir, archive }), refused(dataDir, creator))
})
