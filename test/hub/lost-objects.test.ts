import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { shippedObjects } from '../../src/db/migrate.ts'
import { nameOfObject, type SqlObject } from '../../src/db/sql-objects.ts'
import { installAtStart } from '../../src/hub/auto-install.ts'
import { loadModules } from '../../src/hub/load-modules.ts'
import { shippedModules } from '../../src/modules/index.ts'
import { type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const components = loadModules(shippedModules).flatMap((module) =>
  module.components.map((component) => ({ id: module.id, component })),
)

let app: TestApp
let admin: SignedIn
before(async () => {
  app = await startTestApp({
    env: { RATE_LIMIT_ADMIN: '1000/1m', RATE_LIMIT_READ: '1000/1m', MODULES_AUTO_INSTALL: 'all' },
  })
  admin = await signedInAs(app, 'admin')
})
after(() => app?.stop())

const damage = (text: string) => sql.raw(text).execute(app.ctx.db)
const path = (id: string) => `/api/v1/modules/install/${id}`
const run = (id: string, component: string, repair_missing: boolean) =>
  app.post(
    `${path(id)}/run`,
    { target: 'selected', components: [component], repair_missing },
    withSession(admin.sessionToken),
  )
const statusOf = async (id: string, component: string) => {
  const { data } = (await app.get(`${path(id)}/status`, withSession(admin.sessionToken))).json
  return data.components.find(({ component_id }: { component_id: string }) => component_id === component)
}

test('every index, function and trigger of the database is known', async () => {
  const { rows } = await sql<SqlObject>`
    SELECT 'index' AS kind, c.relname AS name, NULL AS "table" FROM pg_index JOIN pg_class c ON c.oid = indexrelid
      WHERE relnamespace = 'public'::regnamespace AND NOT EXISTS
        (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
    UNION ALL SELECT 'function', proname, NULL FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace AND NOT EXISTS
        (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e')
    UNION ALL SELECT 'trigger', tgname, tgrelid::regclass::text FROM pg_trigger
      WHERE NOT tgisinternal AND tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)`.execute(
    app.ctx.db,
  )
  const inDatabase = rows.map(({ kind, name, table }) => nameOfObject({ kind, name, ...(table && { table }) }))
  const known = [...shippedObjects(), ...components.flatMap(({ component }) => component.furtherObjects)]
  const ofHub = inDatabase.filter((name) => /module_hub/.test(name))
  assert.deepEqual([...new Set(known.map(nameOfObject)), ...ofHub].toSorted(), inDatabase.toSorted())
})

for (const { id, component } of components) {
  for (const object of component.furtherObjects) {
    const { kind, name, table } = object
    const losses = kind === 'trigger' ? [`DROP TRIGGER ${name} ON ${table}`] : [`DROP ${kind} ${name} CASCADE`]
    if (kind === 'trigger') losses.push(`ALTER TABLE ${table} DISABLE TRIGGER ${name}`)
    test(`${id}/${component.component_id} notices that it has lost its ${nameOfObject(object)}`, async () => {
      for (const loss of losses) {
        await damage(loss)
        const { status, drift, action, installed } = await statusOf(id, component.component_id)
        assert.deepEqual([status, drift, action, installed], ['missing', true, 'drift', true], loss)
        assert.equal((await run(id, component.component_id, false)).json.code, 'MODULE_DRIFT')
        const { json, text } = await run(id, component.component_id, true)
        assert.deepEqual(json.data?.result.repaired, [component.component_id], text)
        assert.equal((await statusOf(id, component.component_id)).status, 'installed', loss)
      }
    })
  }
}

test('a lost index or trigger does not keep the service from starting, and is in the log', async () => {
  await damage('DROP TRIGGER user_privacy_events_kept ON user_privacy_events')
  await installAtStart(app.ctx, app.hub)
  assert.match(app.logged(), /"components":\["privacy\/core"\].*indexes, functions or triggers of modules are missing/)
  assert.equal((await run('privacy', 'core', true)).status, 200)
})
