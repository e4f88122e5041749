import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day, hour } from '../../src/lib/time.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const leave = ({ sessionToken }: SignedIn, body: unknown = {}) =>
  app.call('DELETE', '/auth/user/me', { ...withSession(sessionToken), body })

test('who deletes themselves is unknown at once, and hears until when they can come back', async () => {
  const ada = await registered(app)
  const { status, json, cookies } = await leave(ada, { reason: 'no longer needed' })
  assert.equal(status, 200)
  assert.equal(Date.parse(json.data.restorable_until), app.clock.now() + 30 * day)
  assert.equal(cookies.session_id?.value, '')
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 401)
  assert.equal(
    (await app.post('/auth/login', { email: ada.email, password: ada.password })).json.code,
    'INVALID_CREDENTIALS',
  )
  assert.match((await app.mailTo(ada.email, 1)).subject, /was deleted/)
  const [event] = (await auditOf(app, 'user_deleted')).slice(-1)
  assert.deepEqual([event?.target_id, event?.details], [ada.id, { reason: 'no longer needed' }])
})

test('a session that was opened a while ago is not enough: the password is, and a wrong one is none', async () => {
  const ada = await registered(app)
  app.clock.advance(hour)
  assert.equal((await leave(ada)).json.code, 'REAUTH_REQUIRED')
  assert.equal((await leave(ada, { current_password: 'not the password' })).json.code, 'INVALID_CURRENT_PASSWORD')
  assert.equal((await leave(ada, { reason: 'x'.repeat(501) })).json.code, 'VALIDATION_ERROR')
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 200)
  assert.equal((await leave(ada, { current_password: ada.password })).status, 200)
})

test('the last superadmin stays', async () => {
  const [first, last] = [await signedInAs(app, 'superadmin'), await signedInAs(app, 'superadmin')]
  assert.equal((await leave(first)).status, 200)
  const { status, json } = await leave(last)
  assert.deepEqual([status, json.code], [403, 'LAST_SUPERADMIN'])
  assert.equal((await app.get('/auth/me', withSession(last.sessionToken))).status, 200)
})
