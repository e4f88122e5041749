import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { loadModules } from '../../src/hub/load-modules.ts'
import { shippedModules } from '../../src/modules/index.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const modules = loadModules(shippedModules)

let app: TestApp
let admin: SignedIn
before(async () => {
  app = await startTestApp({
    env: { RATE_LIMIT_ADMIN: '1000/1m', RATE_LIMIT_READ: '1000/1m' },
  })
  admin = await signedInAs(app, 'admin')
})
after(() => app?.stop())

/** Changes the database directly, then makes the service reload its state. */
const damage = async (text: string) => {
  await sql.raw(text).execute(app.ctx.db)
  await app.hub.installed.refresh()
}
const run = (id: string, components: string[], more: { repair_missing?: boolean } = {}) =>
  app.post(
    `/api/v1/modules/install/${id}/run`,
    { target: 'selected', components, ...more },
    withSession(admin.sessionToken),
  )
const repair = (id: string, components: string[]) => run(id, components, { repair_missing: true })

/** The tables' columns, constraints, indexes and triggers, in an order that is independent of creation order. */
async function shapeOf(tables: string[]): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    WITH t AS (SELECT name, name::regclass AS oid FROM unnest(${tables}::text[]) AS name)
    SELECT concat_ws(' ', name, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid)) AS line
      FROM t JOIN pg_attribute a ON attrelid = t.oid AND attnum > 0 AND NOT attisdropped
      LEFT JOIN pg_attrdef d ON adrelid = t.oid AND adnum = attnum
    UNION ALL SELECT concat_ws(' ', name, conname, pg_get_constraintdef(c.oid)) FROM t JOIN pg_constraint c ON conrelid = t.oid
    UNION ALL SELECT pg_get_indexdef(indexrelid) FROM t JOIN pg_index ON indrelid = t.oid
    UNION ALL SELECT pg_get_triggerdef(g.oid) FROM t JOIN pg_trigger g ON tgrelid = t.oid AND NOT tgisinternal
    ORDER BY line`.execute(app.ctx.db)
  return rows.map(({ line }) => line)
}

/** Whether other tables reference a column. Dropping the column also drops their foreign keys. */
async function isReferredTo(table: string, column: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM pg_constraint JOIN pg_attribute ON attrelid = confrelid AND attnum = ANY (confkey)
    WHERE contype = 'f' AND confrelid = ${table}::regclass AND attname = ${column}`.execute(app.ctx.db)
  return rows.length > 0
}

describe('every object that is gone is made again as it was:', () => {
  const known = new Set(['users'])
  for (const { id, components } of modules) {
    for (const { component_id, objects } of components) {
      if (objects.length === 0) continue
      const tables = objects.map(({ table }) => table)
      const own = tables.filter((table) => !known.has(table))
      for (const table of tables) known.add(table)
      // The component is tested before those that depend on it are installed because dropping its objects also drops
      // theirs.
      test(`${id}/${component_id} is installed`, async () => {
        assert.equal((await run(id, [component_id])).status, 200)
      })
      for (const { table, columns } of objects) {
        test(`${id}/${component_id}, the columns of ${table}`, async () => {
          const shape = await shapeOf(tables)
          for (const column of Object.keys(columns)) {
            if (await isReferredTo(table, column)) continue
            await damage(`ALTER TABLE ${table} DROP COLUMN ${column} CASCADE`)
            const { status, json, text } = await repair(id, [component_id])
            assert.equal(status, 200, `${column}: ${text}`)
            assert.deepEqual(json.data.result.repaired, [component_id], column)
            assert.deepEqual(await shapeOf(tables), shape, column)
          }
        })
      }
      if (own.length === 0) continue
      test(`${id}/${component_id}, all its tables`, async () => {
        const shape = await shapeOf(tables)
        await damage(`DROP TABLE ${own.join()} CASCADE`)
        assert.equal((await repair(id, [component_id])).status, 200)
        assert.deepEqual(await shapeOf(tables), shape)
      })
    }
  }
})

test('a column and a table at once come back, and rows stay', async () => {
  const owner = await registered(app, 'grace')
  await app.post('/auth/two_factor/totp/setup', {}, withSession(owner.sessionToken))
  await damage('ALTER TABLE two_factor DROP COLUMN last_step, DROP COLUMN last_used_at')
  const { status, json, text } = await repair('two-factor', ['core'])
  assert.deepEqual([status, json.data?.result.repaired], [200, ['core']], text)
  const { rows } = await sql`SELECT last_step, last_used_at FROM two_factor WHERE user_id = ${owner.id}`.execute(
    app.ctx.db,
  )
  assert.deepEqual(rows, [{ last_step: null, last_used_at: null }])
})

test('a value that nobody can know is not made up: the repair is refused, and the rows stay', async () => {
  const somebody = await registered(app)
  await sql`INSERT INTO user_onboarding (user_id, status) VALUES (${somebody.id}, 'completed')`.execute(app.ctx.db)
  await damage('ALTER TABLE user_onboarding DROP COLUMN status')
  const { status, json } = await repair('onboarding', ['core'])
  assert.deepEqual([status, json.code, json.details[0].field], [500, 'MODULE_RUN_FAILED', 'components.core'])
  const { rows } = await sql`SELECT user_id FROM user_onboarding`.execute(app.ctx.db)
  assert.deepEqual(rows, [{ user_id: somebody.id }])
})
