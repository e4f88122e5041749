import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { connectDatabase, type Database } from '../../src/db/connect.ts'
import { databaseFault } from '../../src/db/errors.ts'
import { migrate, pendingMigrations } from '../../src/db/migrate.ts'
import { readNumberedFiles, type SqlFile } from '../../src/db/sql-files.ts'
import { sha256 } from '../../src/lib/hash.ts'
import { databaseServer, needsPostgres, newDatabase, type TestDatabase } from '../nodes/nodes.ts'
import { eventually } from '../support/eventually.ts'

const isDatabaseAway = (error: unknown): boolean => databaseFault(error) !== undefined

let place: TestDatabase | undefined
let database: Database
before(async () => {
  place = databaseServer ? await newDatabase() : undefined
  const options = { poolMax: 10, dataDir: undefined, archive: undefined, onDown: () => {} }
  database = await connectDatabase({ url: place?.url, ...options })
})
after(async () => {
  await database?.close()
  await place?.drop()
})
beforeEach(() => database.exec('DROP SCHEMA public CASCADE; CREATE SCHEMA public'))

const now = new Date('2026-05-01T00:00:00Z')
const file = (name: string, text: string): SqlFile => ({ name, text, checksum: sha256(text) })
const users = file('001_users.sql', 'CREATE TABLE people (name text)')
const notes = file('002_notes.sql', "CREATE TABLE notes (title text); INSERT INTO notes VALUES ('first')")
const run = (files: SqlFile[]) => migrate(database.db, now, files)
const pending = (files: SqlFile[]) => pendingMigrations(database.db, files)

const tables = async () => {
  const { rows } = await sql<{ name: string }>`SELECT tablename AS name FROM pg_tables
    WHERE schemaname = 'public' AND tablename <> 'schema_migrations' ORDER BY name`.execute(database.db)
  return rows.map(({ name }) => name)
}
const register = () => database.db.selectFrom('schema_migrations').selectAll().orderBy('version').execute()

test('every file is applied once, in order, and recorded with its checksum', async () => {
  assert.deepEqual(await run([users, notes]), ['001_users.sql', '002_notes.sql'])
  assert.deepEqual(await run([users, notes]), [])
  assert.deepEqual(await tables(), ['notes', 'people'])
  const row = { scope: 'core', version: 2, name: '002_notes.sql', checksum: notes.checksum, applied_at: now }
  assert.deepEqual((await register())[1], row)
})

test('pending migrations can be listed without applying them', async () => {
  assert.deepEqual(await pending([users, notes]), ['001_users.sql', '002_notes.sql'])
  await run([users])
  assert.deepEqual(await pending([users, notes]), ['002_notes.sql'])
  assert.deepEqual(await tables(), ['people'])
})

test('the schema of an unreleased revision is refused, and new migrations are not applied', async () => {
  await run([users])
  const otherSchemas = {
    'a changed file': file('001_users.sql', 'CREATE TABLE people (name text, age int)'),
    'a renamed file': { ...users, name: '001_people.sql' },
    'no file with this number': { ...users, name: '000_users.sql' },
  }
  for (const [name, other] of Object.entries(otherSchemas))
    for (const attempt of [() => run([other, notes]), () => pending([other, notes])])
      await assert.rejects(
        attempt,
        {
          message:
            'The schema is from an unreleased revision of Wardenry, in which the migration 001_users.sql was different: ' +
            'use that revision or an empty database, or restore the file if you changed it. Nothing was executed.',
        },
        name,
      )
  assert.deepEqual(await tables(), ['people'])
})

test('later migrations of the next release are accepted', async () => {
  await run([users, notes])
  assert.deepEqual(await pending([users]), [])
  assert.deepEqual(await run([users]), [])
})

test('a file that fails leaves nothing of itself, keeps what came before, and is applied when it is mended', async () => {
  const broken = file('002_notes.sql', `${notes.text}; INSERT INTO nowhere VALUES (1)`)
  await assert.rejects(run([users, broken]), /nowhere/)
  assert.deepEqual(await tables(), ['people'])
  assert.equal((await register()).length, 1)
  assert.deepEqual(await run([users, notes]), ['002_notes.sql'])
  assert.deepEqual(await tables(), ['notes', 'people'])
})

test('a file whose note cannot be written is not applied', async () => {
  await assert.rejects(migrate(database.db, new Date(Number.NaN), [users]))
  assert.deepEqual(await tables(), [])
  assert.deepEqual(await run([users]), ['001_users.sql'])
})

test('a migration whose process dies in the middle of a file leaves nothing of it', needsPostgres, async () => {
  const slow = file('002_notes.sql', `${notes.text}; SELECT pg_sleep(4)`)
  const attempt = assert.rejects(run([users, slow]), isDatabaseAway)
  const killed =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()"
  const killing = eventually(async () => (await place!.query(killed)).length > 0)
  await Promise.all([attempt, killing])
  assert.deepEqual(await tables(), ['people'])
  assert.deepEqual(await run([users, notes]), ['002_notes.sql'])
})

test('many that migrate at the same moment apply each file once between them', async () => {
  const applied = await Promise.all(Array.from({ length: 8 }, () => run([users, notes])))
  assert.deepEqual(applied.flat().sort(), ['001_users.sql', '002_notes.sql'])
  assert.deepEqual(await tables(), ['notes', 'people'])
})

test('line endings and surrounding whitespace do not count as changes', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'wardenry-sql-'))
  t.after(() => rm(directory, { recursive: true }))
  const url = pathToFileURL(`${directory}/`)
  await writeFile(join(directory, '001_users.sql'), 'CREATE TABLE people (\n  name text\n)')
  await writeFile(join(directory, 'notes.txt'), 'no migration')
  await run(readNumberedFiles(url))
  await writeFile(join(directory, '001_users.sql'), '\nCREATE TABLE people (\r\n  name text\r\n)\r\n\n')
  assert.deepEqual(await run(readNumberedFiles(url)), [])
})

test('the shipped files are numbered in their order, and bring an empty database to the present state', async () => {
  const applied = await migrate(database.db, now)
  const numbers = applied.map((name) => Number(name.slice(0, 3)))
  assert.deepEqual(
    numbers,
    [...new Set(numbers)].toSorted((a, b) => a - b),
  )
  assert.deepEqual(await pendingMigrations(database.db), [])
  assert.ok((await tables()).includes('one_time_secrets'))
})
