import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { rollUpActivity } from '../../src/admin/roll-up-activity.ts'
import { deleteOldUsage } from '../../src/admin/usage-queries.ts'
import { day, hour, minute } from '../../src/lib/time.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

const shopSecret = 'shop-0123456789012345678901234567890123'

let app: TestApp
let support: SignedIn
before(async () => {
  const env = { RATE_LIMIT_ADMIN: '100000/1h', BRIDGE_SECRETS: `shop:${shopSecret}`, RATE_LIMIT_LOGIN: '5/15m' }
  app = await startTestApp({ env })
  support = await signedInAs(app, 'support')
})
after(() => app.stop())

const read = async (path: string) => {
  const reply = await app.get(`/auth/admin/${path}`, withSession(support.sessionToken))
  assert.equal(reply.status, 200, reply.text)
  return reply
}
const secrets = async () => (await read('bridge-secrets')).json.data.secrets
const validate = (secret: string, headers = {}) =>
  app.post('/auth/bridge/validate', { session_id: 'x' }, { headers: { 'x-bridge-secret': secret, ...headers } })
const unused = { last_used_at: null, requests_last_day: 0, requests_last_month: 0 }

test('bridge secrets are listed by name with their accepted requests, and never by value', async () => {
  assert.deepEqual(await secrets(), [
    { name: 'default', ...unused },
    { name: 'shop', ...unused },
  ])
  await validate(shopSecret)
  await validate(shopSecret)
  await validate('wrong')
  await validate(bridgeSecret, { origin: 'https://leaked.example' })
  await app.ctx.usage.flush()
  const reply = await read('bridge-secrets')
  const at = new Date(app.clock.now()).toISOString()
  assert.deepEqual(reply.json.data.secrets, [
    { name: 'default', ...unused },
    { name: 'shop', last_used_at: at, requests_last_day: 2, requests_last_month: 2 },
  ])
  assert.ok(!reply.text.includes(shopSecret) && !reply.text.includes(bridgeSecret))
})

test('counts of several nodes are added, and the latest use counts', async () => {
  const [, before] = await secrets()
  const { addUsage } = await import('../../src/admin/usage-queries.ts')
  const used = [{ kind: 'bridge_secret', name: 'shop', count: 3 }] as const
  const now = app.clock.now()
  const last = Date.parse(before.last_used_at)
  await addUsage(app.ctx.db, used, new Date(now + minute))
  await addUsage(app.ctx.db, used, new Date(last - minute))
  const [, after] = await secrets()
  assert.equal(after.requests_last_day, before.requests_last_day + 6)
  assert.equal(Date.parse(after.last_used_at), now + minute)
})

test('old counts are deleted, but the time of the last use is kept', async () => {
  const [, { last_used_at: last }] = await secrets()
  app.clock.advance(40 * day)
  support = await signedInAs(app, 'support')
  while ((await deleteOldUsage(app.ctx.db, new Date(app.clock.now() - 30 * day), 1)) > 0);
  const [, shop] = await secrets()
  assert.deepEqual(shop, { name: 'shop', last_used_at: last, requests_last_day: 0, requests_last_month: 0 })
})

test('refused requests are counted by limit', async () => {
  const from = '198.51.100.7'
  for (let count = 0; count < 8; count++)
    await app.post('/auth/login', { email: 'nobody@example.com', password: 'not a password' }, { from })
  await app.ctx.usage.flush()
  const { refusals } = (await read('security')).json.data
  const login = refusals.find((one: { class: string }) => one.class === 'login')
  assert.deepEqual([login.requests_last_day, login.requests_last_month], [3, 3])
})

test('live sessions are counted by age and device, by a job', async () => {
  const sums = async () => {
    const { sessions } = (await read('security')).json.data
    const of = (age: string) => sessions.find((one: { age: string }) => one.age === age)
    return { hour: of('hour'), day: of('day') }
  }
  const sign = async (agent: string) => {
    const ada = await registered(app)
    const headers = { 'user-agent': agent }
    assert.equal((await app.post('/auth/login', { email: ada.email, password: ada.password }, { headers })).status, 200)
  }
  const phone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1'
  const laptop = 'Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0'
  await sign(phone)
  await sign(phone)
  await sign(laptop)
  app.clock.advance(2 * minute)
  await rollUpActivity(app.ctx)
  const first = await sums()
  assert.deepEqual([first.hour.mobile, first.hour.computer], [2, 1])
  app.clock.advance(3 * hour)
  support = await signedInAs(app, 'support')
  await rollUpActivity(app.ctx)
  const later = await sums()
  assert.deepEqual([later.day.mobile, later.day.computer, later.hour.mobile], [2, 1, 0])
})
