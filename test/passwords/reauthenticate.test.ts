import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { minute } from '../../src/lib/time.ts'
import { assertError } from '../http/support.ts'
import { registered, type SignedIn, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const prove = ({ sessionToken }: SignedIn, body: unknown) =>
  app.post('/auth/reauthenticate', body, withSession(sessionToken))
/** Sends a request that requires a recent authentication. */
const endOthers = ({ sessionToken }: SignedIn) => app.call('DELETE', '/auth/sessions', withSession(sessionToken))

test('the password renews the proof of this session, at once and for the window', async () => {
  const ada = await registered(app)
  app.clock.advance(11 * minute)
  assertError(await endOthers(ada), 403, 'REAUTH_REQUIRED')
  const { status, json } = await prove(ada, { password: ada.password })
  assert.deepEqual([status, json.success], [200, true])
  assert.equal(Date.parse(json.valid_until), app.clock.now() + 10 * minute)
  assert.equal((await endOthers(ada)).status, 200)
  app.clock.advance(10 * minute + 1)
  assertError(await endOthers(ada), 403, 'REAUTH_REQUIRED')
  const traces = (await auditOf(app, 'reauth_success')).filter(({ target_id }) => target_id === ada.id)
  assert.equal(traces.length, 1)
})

test('a wrong password is 400, renews nothing, and counts on the account', async () => {
  const ada = await registered(app)
  app.clock.advance(11 * minute)
  for (let attempt = 0; attempt < 5; attempt++)
    assertError(await prove(ada, { password: 'not the password' }), 400, 'INVALID_CURRENT_PASSWORD')
  assertError(await prove(ada, { password: ada.password }), 429, 'RATE_LIMITED')
  assertError(await endOthers(ada), 403, 'REAUTH_REQUIRED')
})

test('other sessions of the same user are not affected', async () => {
  const ada = await registered(app)
  const { json } = await app.post('/auth/login', { email: ada.email, password: ada.password })
  app.clock.advance(11 * minute)
  assert.equal((await prove(ada, { password: ada.password })).status, 200)
  assertError(await endOthers({ ...ada, sessionToken: json.sessionId }), 403, 'REAUTH_REQUIRED')
})

test('users without a password cannot use one as proof', async () => {
  const ada = await registered(app)
  await sql`UPDATE users SET password_hash = NULL WHERE id = ${ada.id}`.execute(app.ctx.db)
  assertError(await prove(ada, { password: ada.password }), 403, 'REAUTH_REQUIRED')
})

test('what is no password is refused by name', async () => {
  const ada = await registered(app)
  for (const body of [{}, { password: 5 }, { password: '' }, { password: 'x'.repeat(300) }]) {
    const reply = await prove(ada, body)
    assertError(reply, 400, 'VALIDATION_ERROR')
    assert.equal(reply.json.details[0].field, 'password')
  }
})

test('refuses a password and a second factor in one request', async () => {
  const ada = await registered(app)
  const reply = await prove(ada, { password: ada.password, code: '123456' })
  assertError(reply, 400, 'VALIDATION_ERROR')
  assert.equal(reply.json.details[0].field, 'password')
})
