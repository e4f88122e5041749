import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute } from '../../../src/lib/time.ts'
import { registered, type SignedIn } from '../../support/people.ts'
import { auditOf } from '../../support/rows.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { textOf } from '../all-pages.ts'
import type { Visitor } from '../support.ts'
import { staffOf } from './support.ts'

let app: TestApp
let ada: SignedIn
before(async () => {
  app = await startTestApp({
    env: {
      RATE_LIMIT_LOGIN: '1000/15m',
      RATE_LIMIT_ADMIN: '100000/1h',
      LOCKOUT_MAX_FAILURES: '10',
      REAUTH_WINDOW: '10m',
    },
  })
  ada = await registered(app, 'ada', { name: 'Ada', last_name: 'Lovelace' })
  for (let attempt = 0; attempt < 10; attempt++) {
    if (attempt === 5) app.clock.advance(16 * minute)
    await app.post('/auth/login', { email: ada.email, password: 'not the password' })
  }
})
after(() => app.stop())

const textFor = async (who: Visitor) => textOf((await who.open('/admin/security')).text)

test('support sees a locked account but no button, and everybody else sees no page', async () => {
  const support = await staffOf(app, 'support')
  assert.match(await textFor(support), /Ada Lovelace\s+Locked until/)
  assert.doesNotMatch(await textFor(support), /Lift the lock\n/)
  const customer = await staffOf(app, 'customer')
  assert.equal((await customer.open('/admin/security')).status, 403)
  const denied = (await auditOf(app, 'authz_denied')).filter(({ actor_id }) => actor_id === customer.id)
  assert.deepEqual(
    denied.map(({ details }) => details.route),
    ['GET /admin/security'],
  )
})

test('an admin lifts the lock without a script, after recent authentication', async () => {
  const late = await staffOf(app, 'admin')
  app.clock.advance(11 * minute)
  await late.open('/admin/security')
  const asked = await late.send('/admin/security/unlock')
  assert.equal(asked.status, 403)
  assert.match(asked.text, /href="\/account\/confirm\?next=%2Faccount%2Fconfirm%3Foutcome%3Dconfirmed" target="_blank"/)
  const admin = await staffOf(app, 'admin')
  await admin.open('/admin/security')
  const reply = await admin.send('/admin/security/unlock')
  assert.equal(reply.headers.location, '/admin/security?done=unlocked')
  const after = textOf((await admin.open(String(reply.headers.location))).text)
  assert.match(after, /The lock was lifted/)
  assert.match(after, /No account is locked or paused/)
  assert.equal((await app.post('/auth/login', ada)).status, 200)
})

test('an account that accepts no password for some minutes is shown, also on the page of the person', async () => {
  const alan = await registered(app, 'alan', { name: 'Alan' })
  for (let attempt = 0; attempt < 6; attempt++)
    await app.post('/auth/login', { email: alan.email, password: 'not the password' })
  assert.equal((await app.post('/auth/login', alan)).status, 429)
  const support = await staffOf(app, 'support')
  assert.match(await textFor(support), /Alan\s+Sign-in refused until/)
  const admin = await staffOf(app, 'admin')
  const path = `/admin/people/${alan.id}`
  assert.match(textOf((await admin.open(path)).text), /refused until .* after five wrong passwords\.\s+Lift the lock/)
  assert.doesNotMatch((await support.open(path)).text, /security\/unlock/)
  await admin.open(path)
  const reply = await admin.send('/admin/security/unlock')
  assert.equal(reply.headers.location, `${path}?done=unlocked`)
  assert.match(textOf((await admin.open(String(reply.headers.location))).text), /The lock was lifted/)
  assert.equal((await app.post('/auth/login', alan)).status, 200)
})

test('refused requests are listed, with a link to all of their kind', async () => {
  await app.post('/auth/bridge/validate', {}, { headers: { 'x-bridge-secret': 'not the secret' } })
  const admin = await staffOf(app, 'admin')
  const { text } = await admin.open('/admin/security')
  assert.match(textOf(text), /Missing or wrong bridge secrets\s+this minute/)
  assert.match(textOf(text), /Wrong passwords for one account have their own limit.*No rate limit refused/s)
  assert.ok(text.includes('href="/admin/audit?event=bridge_auth_fail"'))
  assert.doesNotMatch(text, /event=(csrf_rejected|rate_limited)"/)
})
