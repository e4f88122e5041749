// Setup: default start
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { registered, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const bridge = { headers: { 'x-bridge-secret': bridgeSecret } }
const validate = (sessionToken: string) => app.post('/auth/bridge/validate', { session_id: sessionToken }, bridge)

test('logout ends the session for every transport and for the bridge, although copies were cached', async () => {
  const ada = await registered(app)
  for (let count = 0; count < 5; count++) await validate(ada.sessionToken)
  const reply = await app.post('/auth/logout', undefined, withSession(ada.sessionToken))
  assert.equal(reply.status, 200)
  assert.deepEqual(reply.json, { success: true, message: 'Logged out' })
  assert.equal((await validate(ada.sessionToken)).status, 401)
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 401)
  assert.equal((await app.get(`/auth/me?session_id=${ada.sessionToken}`)).status, 401)
  assert.equal((await app.get('/auth/me', { headers: { cookie: `session_id=${ada.sessionToken}` } })).status, 401)
  const twice = await app.post('/auth/logout', undefined, withSession(ada.sessionToken))
  assert.equal(twice.status, 401)
  assert.equal(twice.json.code, 'INVALID_SESSION')
  assert.equal((await auditOf(app, 'logout')).filter(({ target_id }) => target_id === ada.id).length, 1)
})

test('logout leaves the other sessions of the user alone', async () => {
  const ada = await registered(app)
  const second = (await app.post('/auth/login', { email: ada.email, password: ada.password })).json.sessionId
  await app.post('/auth/logout', undefined, withSession(ada.sessionToken))
  assert.equal((await validate(second)).status, 200)
})

test('a browser that logs out loses its cookie, and its other site data when it asked for a page', async () => {
  const ada = await registered(app)
  const headers = { cookie: `session_id=${ada.sessionToken}`, origin: 'http://localhost:3000', accept: 'text/html' }
  const reply = await app.post('/auth/logout', undefined, { headers })
  assert.equal(reply.status, 200)
  assert.equal(reply.cookies.session_id?.maxAge, 0)
  assert.equal(reply.headers['clear-site-data'], '"cookies"')
})

test('signing in makes a new value, ends the live session of the same browser and adopts no other', async () => {
  const [ada, grace] = [await registered(app), await registered(app, 'grace')]
  const made = `ses_${'Z'.repeat(43)}`
  for (const cookie of [ada.sessionToken, made]) {
    const headers = { cookie: `session_id=${cookie}` }
    const { json } = await app.post('/auth/login', { email: grace.email, password: grace.password }, { headers })
    assert.notEqual(json.sessionId, cookie)
    assert.equal(json.user.email, grace.email)
    assert.equal((await validate(cookie)).status, 401)
    assert.equal((await validate(json.sessionId)).json.user.id, grace.id)
  }
  assert.equal((await validate(grace.sessionToken)).status, 200)
})

test('an emptied or outdated copy never brings an ended session back', async () => {
  const ada = await registered(app)
  const reads = Array.from({ length: 50 }, () => validate(ada.sessionToken))
  const [logout] = await Promise.all([app.post('/auth/logout', undefined, withSession(ada.sessionToken)), ...reads])
  assert.equal(logout.status, 200)
  for (let count = 0; count < 10; count++) assert.equal((await validate(ada.sessionToken)).status, 401)
})
