import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { loadModules } from '../../src/hub/load-modules.ts'
import { shippedModules } from '../../src/modules/index.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: loadModules(shippedModules).map(({ id }) => id) })
})
after(() => app.stop())

/** Tables with a user_id column, or with a foreign key to users under any name. */
const tablesOfUsers = async () => {
  const { rows } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'user_id'
    UNION SELECT conrelid::regclass::text FROM pg_constraint WHERE contype = 'f' AND confrelid = 'users'::regclass
    ORDER BY name`.execute(app.ctx.db)
  return rows.map(({ name }) => name)
}

const claimed = () => app.ctx.personalData().flatMap(({ tables }) => tables)

test('for every table that knows users, somebody says what is exported and what is erased', async () => {
  const unclaimed = (await tablesOfUsers()).filter((table) => !claimed().includes(table))
  assert.deepEqual(unclaimed, [])
  await sql`CREATE TABLE guestbook (author uuid REFERENCES users (id))`.execute(app.ctx.db)
  assert.ok((await tablesOfUsers()).includes('guestbook'), 'a reference is found under any name')
  await sql`DROP TABLE guestbook`.execute(app.ctx.db)
})

test('no table is claimed twice, and none that does not exist', async () => {
  assert.deepEqual(claimed().toSorted(), [...new Set(claimed())].toSorted())
  const { rows } = await sql<{ name: string }>`SELECT tablename AS name FROM pg_tables
    WHERE schemaname = 'public'`.execute(app.ctx.db)
  const known = rows.map(({ name }) => name)
  assert.deepEqual(
    claimed().filter((table) => !known.includes(table)),
    [],
  )
})

test('an erased user is in no table: foreign keys delete rows or empty columns, or the claim says how', async () => {
  const { rows } = await sql<{ name: string; actions: string[] }>`
    SELECT t.name, ARRAY(SELECT confdeltype::text FROM pg_constraint
      WHERE contype = 'f' AND confrelid = 'users'::regclass AND conrelid = t.name::regclass) AS actions
    FROM unnest(${await tablesOfUsers()}::text[]) AS t (name)`.execute(app.ctx.db)
  const isErased = (table: string) =>
    app.ctx.personalData().some(({ tables, erase }) => erase !== undefined && tables.includes(table))
  // Delete actions in pg_constraint: `c` is ON DELETE CASCADE, and `n` is ON DELETE SET NULL.
  const isByKey = (actions: string[]) => actions.length > 0 && actions.every((action) => 'cn'.includes(action))
  const left = rows.filter(({ name, actions }) => !isByKey(actions) && !isErased(name))
  assert.ok(rows.length > 5)
  assert.deepEqual(left, [])
})
