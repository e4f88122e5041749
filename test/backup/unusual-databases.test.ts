import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { registered } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { backUp, newDirectory, openEmpty, restore } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['privacy', 'onboarding', 'blog'], env: { BLOG_ENABLED: 'true' } })
  await registered(app)
})
after(() => app?.stop())

/** Makes these changes in the application's database, backs it up, and then undoes them. */
async function backupWith(t: TestContext, change: string, undo: string): Promise<string> {
  const path = join(await newDirectory(t), 'backup')
  await app.database.exec(change)
  await backUp(app, path).finally(() => app.database.exec(undo))
  return path
}

async function restored(t: TestContext, path: string, keepSessions = false) {
  const target = await openEmpty(t)
  const report = await restore(app, target, path, { keepSessions })
  const rowsOf = async (text: string) => (await sql.raw(text).execute(target.db)).rows
  return { report, rowsOf }
}

test('columns that the operator added are restored with their values', async (t) => {
  const path = await backupWith(
    t,
    `CREATE TYPE tier AS ENUM ('gold'); ALTER TABLE users ADD COLUMN "crm id" varchar(20), ADD COLUMN "a.b" text, ADD COLUMN tier tier;
     ALTER TABLE posts ADD COLUMN weights numeric(6, 2)[];
     UPDATE users SET "crm id" = 'c-17', "a.b" = 'dotted', tier = 'gold'`,
    'ALTER TABLE users DROP COLUMN "crm id", DROP COLUMN "a.b", DROP COLUMN tier; ALTER TABLE posts DROP COLUMN weights; DROP TYPE tier',
  )
  const { report, rowsOf } = await restored(t, path)
  const values = [{ 'crm id': 'c-17', 'a.b': 'dotted', tier: 'gold' }]
  assert.deepEqual(await rowsOf('SELECT "crm id", "a.b", tier FROM users'), values)
  assert.deepEqual(report.added, [
    { table: 'users', column: 'crm id', type: 'character varying(20)' },
    { table: 'users', column: 'a.b', type: 'text' },
    // The target does not have this type.
    { table: 'users', column: 'tier', type: 'text' },
    { table: 'posts', column: 'weights', type: 'numeric(6,2)[]' },
  ])
})

test('a type in a backup is never executed as SQL', async (t) => {
  const path = await backupWith(
    t,
    `CREATE DOMAIN "int; DROP TABLE users; --" AS integer; ALTER TABLE users ADD COLUMN odd "int; DROP TABLE users; --"`,
    'ALTER TABLE users DROP COLUMN odd; DROP DOMAIN "int; DROP TABLE users; --"',
  )
  const { report } = await restored(t, path)
  assert.deepEqual(report.added, [{ table: 'users', column: 'odd', type: 'text' }])
})

test('the data of a module without an entry in the registry is restored, and so are its defaults', async (t) => {
  const path = await backupWith(
    t,
    `CREATE TABLE kept_rows AS SELECT * FROM module_hub_registry;
     DELETE FROM module_hub_registry WHERE module_id = 'privacy';
     UPDATE users SET privacy_region = 'eu';
     INSERT INTO user_deletion_requests (id, user_id, status, requested_at, scheduled_for)
       SELECT gen_random_uuid(), id, 'pending', now(), now() FROM users`,
    `TRUNCATE module_hub_registry; INSERT INTO module_hub_registry SELECT * FROM kept_rows; DROP TABLE kept_rows;
     DELETE FROM user_deletion_requests`,
  )
  const { report, rowsOf } = await restored(t, path)
  assert.deepEqual(await rowsOf('SELECT privacy_region FROM users'), [{ privacy_region: 'eu' }])
  assert.deepEqual(await rowsOf('SELECT count(*)::int FROM user_deletion_requests'), [{ count: 1 }])
  assert.deepEqual(await rowsOf("SELECT FROM module_hub_registry WHERE module_id = 'privacy'"), [])
  assert.deepEqual(report.added, [])
})

test('rows that are older than a check constraint are restored, and the constraint stays as it was', async (t) => {
  const constraint = "CHECK (biz_country ~ '^[A-Z]{2}$') NOT VALID"
  const path = await backupWith(
    t,
    `ALTER TABLE users DROP CONSTRAINT users_biz_country_letters; UPDATE users SET biz_country = 'de';
     ALTER TABLE users ADD CONSTRAINT users_biz_country_letters ${constraint}`,
    "UPDATE users SET biz_country = 'DE'",
  )
  // A row that violates the constraint cannot be updated at all, not even to end sessions.
  const { rowsOf } = await restored(t, path, true)
  assert.deepEqual(await rowsOf('SELECT biz_country FROM users'), [{ biz_country: 'de' }])
  assert.deepEqual(await rowsOf("SELECT convalidated FROM pg_constraint WHERE conname = 'users_biz_country_letters'"), [
    { convalidated: false },
  ])
  await assert.rejects(rowsOf("UPDATE users SET biz_country = 'fr'"), /users_biz_country_letters/)
})

test('a backup is refused if a table of the service cannot be found', async (t) => {
  await assert.rejects(
    backupWith(
      t,
      'CREATE SCHEMA hidden; ALTER TABLE social_accounts SET SCHEMA hidden',
      'ALTER TABLE hidden.social_accounts SET SCHEMA public; DROP SCHEMA hidden',
    ),
    /cannot find the table "social_accounts"/,
  )
  await assert.rejects(
    backupWith(t, 'ALTER TABLE posts RENAME TO hidden_posts', 'ALTER TABLE hidden_posts RENAME TO posts'),
    /cannot find the table "posts"/,
  )
})
