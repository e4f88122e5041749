// Setup: default start
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { broken, shop } from '../support/modules.ts'
import { type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const base = '/api/v1/modules/install'

let app: TestApp
let admin: SignedIn
before(async () => {
  app = await startTestApp({ shipped: [shop(), broken()] })
  admin = await signedInAs(app, 'admin')
})
after(() => app.stop())

const post = (path: string, body: object) => app.post(`${base}${path}`, body, withSession(admin.sessionToken))
const runsOf = async (id: string, query: Record<string, string> = {}) =>
  (await app.get(`${base}/${id}/runs`, { ...withSession(admin.sessionToken), query })).json

test('the history is empty before the first run', async () => {
  const { data, meta } = await runsOf('shop')
  assert.deepEqual([data, meta.total], [[], 0])
})

test('a plan with SQL contains what each step would run, and a plan without does not', async () => {
  const usual = await post('/shop/dry-run', { target: 'all' })
  assert.deepEqual(Object.keys(usual.json.data), ['module_id', 'runtime_scope', 'dry_run', 'resolved_order'])
  const { plan } = (await post('/shop/dry-run', { target: 'all', with_sql: true })).json.data
  assert.equal(plan[0].component_id, 'core')
  assert.equal(plan[0].action, 'install')
  assert.match(plan[0].sql.join('\n'), /CREATE TABLE IF NOT EXISTS goods/)
})

test('every run is listed with its steps and its author, the newest first', async () => {
  assert.equal((await post('/shop/run', { target: 'core' })).status, 200)
  app.clock.advance(1000)
  assert.equal((await post('/shop/run', { target: 'core' })).status, 200)
  const { data, meta } = await runsOf('shop')
  assert.equal(meta.total, 2)
  const [second, first] = data
  assert.deepEqual(second.steps[0].action, 'skip')
  assert.deepEqual(
    [first.outcome, first.code, first.actor_id, first.actor_email],
    ['success', null, admin.id, admin.email],
  )
  assert.deepEqual(first.steps, [{ component_id: 'core', action: 'install', from_version: null, to_version: '1.0.0' }])
  const { data: skipped } = (await post('/shop/dry-run', { target: 'core', with_sql: true })).json
  assert.deepEqual(skipped.plan[0].sql, [], 'a skipped step runs nothing')
  assert.deepEqual((await runsOf('shop', { limit: '1', page: '2' })).data, [first])
  assert.deepEqual((await runsOf('shop', { runtime_scope: 'other' })).data, [])
})

test('a failed run is listed with its reasons', async () => {
  assert.equal((await post('/broken/run', { target: 'all' })).status, 500)
  const [{ outcome, code, reasons, steps }] = (await runsOf('broken')).data
  assert.deepEqual([outcome, code, steps], ['failure', 'MODULE_RUN_FAILED', []])
  assert.deepEqual(reasons, [
    { field: 'components.ext-bad', message: 'its SQL failed; the service log contains the error' },
  ])
})
