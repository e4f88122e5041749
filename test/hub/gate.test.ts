import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import Type from 'typebox'
import { anyone } from '../../src/http/access/access.ts'
import { describe as describeRoute } from '../../src/http/responses/schemas.ts'
import type { ModuleDefinition } from '../../src/hub/define-module.ts'
import { privacy } from '../../src/modules/privacy/manifest.ts'
import { install } from '../support/modules.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const Body = Type.Object({ name: Type.String() })
const schema = describeRoute(
  { operationId: 'gateTest', summary: 'A route of a module', tag: 'Test' },
  { body: Body },
  Type.Object({}),
)
const withRoute = (path: string, more: Partial<ModuleDefinition>): ModuleDefinition => ({
  ...privacy,
  routes: () => (http) => {
    http.post(path, { schema, config: { access: anyone, limit: 'write', module: 'privacy' } }, async () => ({}))
  },
  ...more,
})
const good = { name: 'a' }

let app: TestApp
before(async () => {
  app = await startTestApp({ shipped: [withRoute('/test/on', {})] })
})
after(() => app.stop())

test('a route answers only while its module is there; what is wrong with the request is said before', async () => {
  assert.equal((await app.post('/test/on', {})).json.code, 'VALIDATION_ERROR')
  const { status, json } = await app.post('/test/on', good)
  assert.deepEqual(
    [status, json.error, json.code, json.details],
    [404, 'module_not_installed', 'module_not_installed', [{ field: 'component', message: 'privacy/core' }]],
  )
  await install(app, 'privacy')
  assert.equal((await app.post('/test/on', good)).status, 200)
  await sql`DROP TABLE user_deletion_requests`.execute(app.ctx.db)
  await app.hub.installed.refresh()
  assert.equal((await app.post('/test/on', good)).json.code, 'module_not_installed')
})

test('a module that is switched off says so: once it is installed, or always where its manifest wants that', async () => {
  const switches = ['BLOG_ENABLED'] as const
  const usual = await startTestApp({ shipped: [withRoute('/test/off', { switches })] })
  const hasty = await startTestApp({ shipped: [withRoute('/test/off', { switches, disabledFirst: true })] })
  try {
    assert.equal((await usual.post('/test/off', good)).json.code, 'module_not_installed')
    await install(usual, 'privacy')
    for (const off of [usual, hasty]) {
      const { status, json } = await off.post('/test/off', good)
      assert.deepEqual([status, json.code], [503, 'MODULE_DISABLED'])
    }
  } finally {
    await usual.stop()
    await hasty.stop()
  }
})
