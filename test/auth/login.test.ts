// Setup: default start
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { person, registered } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

test('signs in with the address, the user name, or either of them in the other member', async () => {
  const ada = await registered(app)
  for (const body of [
    { email: ada.email },
    { user_name: ada.user_name },
    { email: ada.user_name },
    { identifier: ada.email },
    { userName: ada.user_name.toUpperCase() },
  ]) {
    const reply = await app.post('/auth/login', { ...body, password: ada.password })
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.json.success, true)
    assert.equal(reply.json.requires_2fa, false)
    assert.match(reply.json.sessionId, /^ses_[A-Za-z0-9_-]{43}$/)
    assert.equal(reply.json.session_id, reply.json.sessionId)
    assert.equal(reply.json.user.email, ada.email)
  }
})

test('unknown users, wrong passwords and users without a password get the same answer', async () => {
  const ada = await registered(app)
  const wrong = await app.post('/auth/login', { email: ada.email, password: 'not the password' })
  const unknown = await app.post('/auth/login', { email: person().email, password: 'not the password' })
  for (const reply of [wrong, unknown]) {
    assert.equal(reply.status, 401)
    assert.equal(reply.json.code, 'INVALID_CREDENTIALS')
    assert.equal(reply.json.error, 'Invalid credentials')
    delete reply.json.request_id
  }
  assert.deepEqual(wrong.json, unknown.json)
  assert.deepEqual(Object.keys(wrong.headers), Object.keys(unknown.headers))
})
