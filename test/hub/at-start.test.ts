// Setup: default start
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { installAtStart } from '../../src/hub/auto-install.ts'
import { broken, delivery, shop } from '../support/modules.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  const env = { MODULES_AUTO_INSTALL: 'delivery,shop:ext-prices' }
  app = await startTestApp({ shipped: [shop(), delivery(), broken()], env })
})
after(() => app.stop())

const startAgain = (settings: Partial<TestApp['ctx']['config']> = {}) =>
  installAtStart({ ...app.ctx, config: { ...app.ctx.config, ...settings } }, app.hub)
const registered = async () => {
  const { rows } = await sql<{ name: string; version: string }>`
    SELECT module_id || '/' || component_id AS name, version FROM module_hub_registry ORDER BY name`.execute(app.ctx.db)
  return Object.fromEntries(rows.map(({ name, version }) => [name, version]))
}
const runs = async () => {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM audit_events
    WHERE event LIKE 'module%'`.execute(app.ctx.db)
  return rows[0]?.count
}
const all = { 'delivery/core': '1.0.0', 'shop/core': '1.0.0', 'shop/ext-prices': '1.1.0' }

test('a start installs what the settings name, and a later one finds nothing to do', async () => {
  assert.deepEqual(await registered(), all)
  const before = await runs()
  await startAgain()
  assert.equal(await runs(), before)
})

test('a start brings what is older up to the release, unless it must not', async () => {
  await sql`UPDATE module_hub_registry SET version = '1.0.0' WHERE component_id = 'ext-prices'`.execute(app.ctx.db)
  await startAgain({ MODULES_AUTO_INSTALL: [], MODULES_AUTO_UPGRADE: false })
  assert.equal((await registered())['shop/ext-prices'], '1.0.0')
  await startAgain({ MODULES_AUTO_INSTALL: [] })
  assert.deepEqual(await registered(), all)
})

test('what a module depends on is installed with it', async () => {
  await sql`DROP TABLE goods, parcels, module_hub_registry`.execute(app.ctx.db)
  await startAgain({ MODULES_AUTO_INSTALL: ['delivery'] })
  assert.deepEqual(await registered(), { 'delivery/core': '1.0.0', 'shop/core': '1.0.0' })
})

test('a start that cannot install what it should ends with a sentence that says what and why', async () => {
  await assert.rejects(startAgain({ MODULES_AUTO_INSTALL: ['blog'] }), /there is no module "blog"/)
  await assert.rejects(startAgain({ MODULES_AUTO_INSTALL: ['broken:all'] }), /module broken .*components\.ext-bad/)
  await assert.rejects(
    startAgain({ MODULES_AUTO_INSTALL: ['shop:ext-x'] }),
    /module shop .*components must only contain core/,
  )
})
