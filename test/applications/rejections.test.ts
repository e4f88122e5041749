import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertError } from '../http/support.ts'
import { issued, redeemed } from '../support/handover.ts'
import { registered, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { type Superadmin, superadminOf } from './support.ts'

const path = '/auth/admin/application-rejections'

let app: TestApp
let superadmin: Superadmin
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_READ: '100000/1m' } })
  superadmin = await superadminOf(app)
})
after(() => app.stop())

interface Rejection {
  step: string
  reason: string
  parameter: string | null
  page: string | null
}

async function rejections(id?: string, more = ''): Promise<Rejection[]> {
  const { status, json } = await app.call(
    'GET',
    `${path}?${id ? `application_id=${id}` : ''}${more}`,
    withSession(superadmin.sessionToken),
  )
  assert.equal(status, 200)
  return json.data.rejections
}
const reasons = async (id?: string) => (await rejections(id)).map(({ step, reason, page }) => [step, reason, page])
const open = (returnTo: string, more: Record<string, string> = {}) =>
  app.get(`/login?${new URLSearchParams({ return_to: returnTo, ...more })}`)

test('what was rejected is listed for the application that is closest to the address, without its query', async () => {
  const { id } = await superadmin.create('shop', { return_addresses: ['https://shop.test/app'] })
  await open('https://shop.test/app/start', { max_age: 'soon' })
  await open('https://shop.test/other?token=very-secret#also')
  await open('http://shop.test:8080/app')
  await open(`https://shop.test/reset/wbs_${'x'.repeat(49)}/a`)
  await open('https://elsewhere.test/callback?token=very-secret')
  await superadmin.call('POST', `/${id}/disable`)
  await open('https://shop.test/app/start?x=1')
  assert.deepEqual(await reasons(id), [
    ['return', 'disabled', 'https://shop.test/app/start'],
    ['return', 'not_declared', 'https://shop.test/reset/…/a'],
    ['return', 'not_declared', 'http://shop.test:8080/app'],
    ['return', 'not_declared', 'https://shop.test/other'],
    ['return', 'parameter', 'https://shop.test/app/start'],
  ])
  assert.equal((await rejections(id)).at(-1)?.parameter, 'max_age')
  assert.deepEqual(await reasons(), [['return', 'not_declared', 'https://elsewhere.test/callback']])
  assert.equal((await rejections(id, '&limit=2')).length, 2)
})

test('a code that is not redeemed is listed with the reason', async () => {
  const { id } = await superadmin.create('wiki', { return_addresses: ['https://wiki.test'] })
  const ada = await registered(app)
  const code = await issued(app, ada.sessionToken, 'https://wiki.test/callback?tenant=1')
  await redeemed(app, { ...code, verifier: 'x'.repeat(43) })
  await redeemed(app, code)
  await redeemed(app, code)
  assert.deepEqual(await reasons(id), [
    ['redeem', 'used', 'https://wiki.test/callback'],
    ['redeem', 'code_verifier', 'https://wiki.test/callback'],
  ])
})

test('addresses that nobody declared push no application’s rejections out, and leave the list after a day', async () => {
  const { id } = await superadmin.create('calm', { return_addresses: ['https://calm.test'] })
  await open('https://calm.test/x', { max_age: 'soon' })
  await sql`INSERT INTO audit_events (id, time, event, outcome, node, details)
    SELECT gen_random_uuid(), ${app.ctx.clock.date()}, 'return_rejected', 'failure', 'n', '{"reason": "not_declared"}'
    FROM generate_series(1, 3000)`.execute(app.ctx.db)
  assert.equal((await rejections(undefined, '&limit=5000')).length, 1_000)
  assert.equal((await rejections(id)).length, 1)
  app.clock.advance(24 * 3600 * 1000 + 1)
  superadmin = await superadminOf(app)
  assert.deepEqual(await rejections(id), [])
})

test('an address that no return address may look like is rejected as malformed', async () => {
  const { id } = await superadmin.create('odd', { return_addresses: ['https://odd.test'] })
  await open('https://ada:pass@odd.test/')
  await open('not a url')
  assert.deepEqual(await reasons(id), [['return', 'malformed', 'https://odd.test/']])
  assert.deepEqual((await reasons())[0], ['return', 'malformed', null])
})

test('only superadmins see rejections, and no visitor’s address is among them', async () => {
  const admin = await signedInAs(app, 'admin')
  assertError(await app.call('GET', path, withSession(admin.sessionToken)), 403, 'FORBIDDEN')
  await open('https://elsewhere.test/')
  assert.deepEqual(Object.keys((await rejections())[0]!).sort(), [
    'page',
    'parameter',
    'reason',
    'request_id',
    'step',
    'time',
  ])
})
