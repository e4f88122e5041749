import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import type { BackupHeader } from '../../src/backup/format.ts'
import { moveData } from '../../src/backup/move.ts'
import { announceIfEmpty, assertRestorable, prepareRestore, restoreTables } from '../../src/backup/restore.ts'
import { verifyBackup } from '../../src/backup/restore-backup.ts'
import type { Database } from '../../src/db/connect.ts'
import { assertUsable } from '../../src/db/installation-marks.ts'
import { migrate, pendingMigrations } from '../../src/db/migrate.ts'
import { readNumberedFiles } from '../../src/db/sql-files.ts'
import { registered, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { backUp, loaded, newDirectory, openEmpty, restore } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['blog'], env: { BLOG_ENABLED: 'true' } })
  await registered(app)
})
after(() => app?.stop())

/** Makes these changes in the application's database, runs the work, and then undoes them. */
async function whileChanged(change: string, undo: string, work: () => Promise<void>): Promise<void> {
  await sql.raw(change).execute(app.ctx.db)
  await work().finally(() => sql.raw(undo).execute(app.ctx.db))
}

const backupIn = async (t: TestContext, source: TestApp = app): Promise<string> => {
  const path = join(await newDirectory(t), 'backup')
  await backUp(source, path)
  return path
}

/** Restores a backup whose description was changed. */
async function restoreChanged(
  t: TestContext,
  target: Database,
  change: (header: BackupHeader) => Partial<BackupHeader>,
): Promise<void> {
  const file = { path: await backupIn(t), passphrase: undefined }
  const verified = await verifyBackup(file)
  const header = { ...verified.header, ...change(verified.header) }
  const parts = { modules: loaded(), now: new Date(), onProgress: () => {} }
  await restoreTables(target, { ...parts, file, verified: { ...verified, header } })
}

/** The number of tables, without the table `wardenry_restore`, which marks a restore in progress. */
async function tablesOf({ db }: Database): Promise<number> {
  const { rows } = await sql`SELECT FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'wardenry_restore'`.execute(db)
  return rows.length
}

test('a backup with earlier migrations is restored, and the later ones are applied', async (t) => {
  const files = readNumberedFiles(new URL('../../src/db/migrations/', import.meta.url))
  const earlier = await openEmpty(t)
  await migrate(
    earlier.db,
    new Date(),
    files.filter(({ name }) => name < '012'),
  )
  const [user, session] = ['01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf', '01a1f9c7-c1cb-7224-b5ca-dee52c4e92d0']
  await sql`INSERT INTO users (id, email, user_name, created_at, updated_at)
    VALUES (${user}, 'old@example.com', 'old', now(), now())`.execute(earlier.db)
  await sql`INSERT INTO sessions (id, token_hash, user_id, status, created_at, started_at, last_used_at, proved_at)
    VALUES (${session}, 'x', ${user}, 'active', now(), now(), now(), now())`.execute(earlier.db)
  const target = await openEmpty(t)
  const { applied, ended } = await restore(app, target, await backupIn(t, { ...app, database: earlier }))
  assert.deepEqual(
    applied,
    files.map(({ name }) => name).filter((name) => name >= '012'),
  )
  assert.equal(ended?.sessions, 1)
  assert.deepEqual(await pendingMigrations(target.db), [])
  const { rows } =
    await sql`SELECT u.email, s.status, s.parent_id FROM users u JOIN sessions s ON s.user_id = u.id`.execute(target.db)
  assert.deepEqual(rows, [{ email: 'old@example.com', status: 'revoked', parent_id: null }])
})

test('a backup with unknown or changed migrations is refused', async (t) => {
  const target = await openEmpty(t)
  const insert = `INSERT INTO schema_migrations VALUES ('core', 999, '999_later.sql', 'x', now())`
  await whileChanged(insert, 'DELETE FROM schema_migrations WHERE version = 999', async () => {
    await assert.rejects(backupIn(t), /migration 999_later\.sql is unknown here\. Run this command with that version/)
    // On a server, the move fails earlier, because this application uses the database.
    if (app.database.kind !== 'embedded') return
    const move = moveData(app.database, target, {
      config: app.ctx.config,
      modules: loaded(),
      targetName: 'there',
      onProgress: () => {},
    })
    await assert.rejects(move, /migration 999_later\.sql is unknown here/)
  })
  const later = { version: 999, name: '999_later.sql', checksum: 'x', applied_at: new Date().toISOString() }
  await assert.rejects(
    restoreChanged(t, target, ({ migrations }) => ({ migrations: [...migrations, later] })),
    /newer version of Wardenry.*999_later/,
  )
  assert.equal(await tablesOf(target), 0)
  const unreleased = /unreleased revision of Wardenry, in which the migration 002_sessions\.sql was different/
  const changed = ({ version, ...row }: BackupHeader['migrations'][number]) =>
    version === 2 ? { version, ...row, checksum: 'x' } : { version, ...row }
  await assert.rejects(
    restoreChanged(t, target, ({ migrations }) => ({ migrations: migrations.map(changed) })),
    unreleased,
  )
  assert.equal(await tablesOf(target), 0)
  const setChecksum = (expression: string) => `UPDATE schema_migrations SET checksum = ${expression} WHERE version = 2`
  await whileChanged(setChecksum("checksum || '-'"), setChecksum("rtrim(checksum, '-')"), () =>
    assert.rejects(backupIn(t), unreleased),
  )
})

test('a module must be present in the same version or a later one', async (t) => {
  const version = (value: string) => `UPDATE module_hub_registry SET version = '${value}' WHERE component_id = 'core'`
  const refused = /"core" of the module "blog" has version 99\.0\.0(.|\n)*use the newer version/
  await whileChanged(version('99.0.0'), version('1.0.0'), () => assert.rejects(backupIn(t), refused))
  const target = await openEmpty(t)
  const newer = ({ modules }: BackupHeader) => ({ modules: modules.map((one) => ({ ...one, version: '99.0.0' })) })
  await assert.rejects(restoreChanged(t, target, newer), refused)
  assert.equal(await tablesOf(target), 0)
  await whileChanged(version('0.9.0'), version('1.0.0'), async () => {
    const target = await openEmpty(t)
    await restore(app, target, await backupIn(t))
    const { rows } = await sql`SELECT version FROM module_hub_registry WHERE component_id = 'core'`.execute(target.db)
    assert.deepEqual(rows, [{ version: '0.9.0' }], 'the module hub upgrades it')
  })
  const rename = (from: string, to: string) =>
    `UPDATE module_hub_registry SET module_id = '${to}' WHERE module_id = '${from}'`
  await whileChanged(rename('blog', 'forum'), rename('forum', 'blog'), async () => {
    await assert.rejects(backupIn(t), /module "forum" is installed.*MODULE_PATHS/)
  })
})

test('a restore needs an empty database, in which other programs may have tables', async (t) => {
  const path = await backupIn(t)
  for (const table of ['users', 'schema_migrations', 'module_hub_registry']) {
    const target = await openEmpty(t)
    await sql.raw(`CREATE TABLE ${table} (id integer)`).execute(target.db)
    await assert.rejects(restore(app, target, path), new RegExp(`not empty: it has a table "${table}"`))
    assert.equal(await tablesOf(target), 1)
  }
  const leftOver = await openEmpty(t)
  await sql`CREATE TABLE post_counts AS SELECT 'note' AS note`.execute(leftOver.db)
  await assert.rejects(restore(app, leftOver, path), /not empty: it has a table "post_counts"/)
  assert.deepEqual((await sql`SELECT note FROM post_counts`.execute(leftOver.db)).rows, [{ note: 'note' }])
  const target = await openEmpty(t)
  await sql`CREATE TABLE invoices AS SELECT 1 AS number`.execute(target.db)
  await restore(app, target, path)
  assert.deepEqual((await sql`SELECT number FROM invoices`.execute(target.db)).rows, [{ number: 1 }])
  await assert.rejects(restore(app, target, path), /not empty/)
})

test('a backup that names the table of another program is refused', async (t) => {
  const target = await openEmpty(t)
  await sql`CREATE TABLE invoices AS SELECT 1 AS number`.execute(target.db)
  const verified = await verifyBackup({ path: await backupIn(t), passphrase: undefined })
  const tables = [...verified.header.tables, { name: 'invoices', columns: [{ name: 'number', type: 'integer' }] }]
  await assert.rejects(
    assertRestorable(target.db, { ...verified.header, tables }, loaded()),
    /This version has no table "invoices"/,
  )
})

test('no service uses a database whose restore failed, until a restore succeeds', async (t) => {
  const target = await openEmpty(t)
  const path = await backupIn(t)
  const { header } = await verifyBackup({ path, passphrase: undefined })
  const unknown = { module_id: 'unknown', component_id: 'core', version: '1.0.0' }
  await announceIfEmpty(target.db)
  await assert.rejects(prepareRestore(target.db, { ...header, modules: [unknown] }, loaded()), /unknown/)
  await assert.rejects(assertUsable(target.db), /is being restored or moved/)
  await assert.rejects(startTestApp({ database: { ...target, close: async () => {} } }), /is being restored or moved/)
  await prepareRestore(target.db, header, loaded())
  await restore(app, target, path)
  await assertUsable(target.db)
})

test('a refused database gets no table, and a table of that name stops no installation', async (t) => {
  const target = await openEmpty(t)
  const { header } = await verifyBackup({ path: await backupIn(t), passphrase: undefined })
  await sql`CREATE TABLE users AS SELECT 1 AS id`.execute(target.db)
  await announceIfEmpty(target.db)
  await assert.rejects(prepareRestore(target.db, header, loaded()), /not empty/)
  const { rows } = await sql`SELECT to_regclass('wardenry_restore') AS found`.execute(target.db)
  assert.deepEqual(rows, [{ found: null }])
  await whileChanged('CREATE TABLE wardenry_restore ()', 'DROP TABLE wardenry_restore', () => assertUsable(app.ctx.db))
})

test('a restore that stopped after the tables is completed by the next run with the same backup only', async (t) => {
  const ada = await registered(app)
  const path = await backupIn(t)
  let again: TestApp | undefined
  t.after(() => again?.stop())
  const target = await openEmpty(t)
  const file = { path, passphrase: undefined }
  const verified = await verifyBackup(file)
  const parts = { modules: loaded(), now: new Date(), onProgress: () => {} }
  await restoreTables(target, { ...parts, file, verified })
  await assert.rejects(assertUsable(target.db), /not completely restored/)
  await assert.rejects(startTestApp({ database: { ...target, close: async () => {} } }), /not completely restored/)
  await assert.rejects(restore(app, target, await backupIn(t)), /Another backup was not completely restored/)

  await restore(app, target, path)
  await assertUsable(target.db)
  again = await startTestApp({ database: target, clock: app.clock })
  assert.equal((await again.get('/auth/me', withSession(ada.sessionToken))).status, 401)
  assert.equal((await auditOf(again, 'backup_restored')).length, 1)
})

test('the marks of a database are not part of its backup', async (t) => {
  const path = join(await newDirectory(t), 'backup')
  const insert = "INSERT INTO installation_facts (fact, since, value) VALUES ('unusable_moved', now(), 'elsewhere')"
  await whileChanged(insert, "DELETE FROM installation_facts WHERE fact = 'unusable_moved'", async () => {
    await assert.rejects(assertUsable(app.ctx.db), /was moved to elsewhere.*move --undo/)
    await backUp(app, path)
  })
  const target = await openEmpty(t)
  await restore(app, target, path)
  await assertUsable(target.db)
})
