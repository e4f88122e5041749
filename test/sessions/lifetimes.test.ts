// Setup: default start
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { day, hour, minute, second } from '../../src/lib/time.ts'
import { registered, withSession } from '../support/people.ts'
import { useIsWritten } from '../support/session-use.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({
    env: { SESSION_MAX_PER_USER: '3', ADMIN_SESSION_IDLE_TTL: '30m', ADMIN_SESSION_ABSOLUTE_TTL: '12h' },
  })
})
after(() => app.stop())

const validate = (sessionToken: string) =>
  app.post('/auth/bridge/validate', { session_id: sessionToken }, { headers: { 'x-bridge-secret': bridgeSecret } })

test('a session that is not used ends after the idle time, and says so', async () => {
  const ada = await registered(app)
  app.clock.advance(7 * day - second)
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 200)
  await useIsWritten(app, ada.id)
  app.clock.advance(7 * day)
  const reply = await app.get('/auth/me', withSession(ada.sessionToken))
  assert.equal(reply.status, 401)
  assert.equal(reply.json.error, 'Session expired')
  assert.equal(reply.json.code, 'SESSION_EXPIRED')
  assert.equal((await validate(ada.sessionToken)).json.error, 'Invalid session')
})

test('use moves the idle end, and never past the absolute one', async () => {
  const ada = await registered(app)
  const signedInAt = app.clock.now()
  for (let days = 0; days < 29; days += 6) {
    app.clock.advance(6 * day)
    const reply = await validate(ada.sessionToken)
    if (app.clock.now() >= signedInAt + 30 * day) break
    assert.equal(reply.status, 200)
    await useIsWritten(app, ada.id)
  }
  const refused = await app.get('/auth/me', withSession(ada.sessionToken))
  assert.equal(refused.status, 401)
  assert.equal(refused.json.code, 'SESSION_EXPIRED')
})

test('the shown expiry is the instant that is enforced', async () => {
  const ada = await registered(app)
  const { json } = await validate(ada.sessionToken)
  app.clock.advance(Date.parse(json.expires_at) - app.clock.now() - 1)
  assert.equal((await validate(ada.sessionToken)).status, 200)
  await useIsWritten(app, ada.id)
  const grace = await registered(app, 'grace')
  const shown = Date.parse((await validate(grace.sessionToken)).json.expires_at)
  app.clock.advance(shown - app.clock.now())
  assert.equal((await validate(grace.sessionToken)).status, 401)
})

test('administrators have lifetimes of their own', async () => {
  const ada = await registered(app)
  await sql`UPDATE users SET user_type = 'admin' WHERE id = ${ada.id}`.execute(app.ctx.db)
  const { json } = await app.post('/auth/login', { email: ada.email, password: ada.password })
  assert.equal(Date.parse(json.expiresAt) - app.clock.now(), 30 * minute)
  app.clock.advance(hour)
  assert.equal((await app.get('/auth/me', withSession(json.sessionId))).status, 401)
})

test('one session more than allowed ends the oldest', async () => {
  const ada = await registered(app)
  const bearers = [ada.sessionToken]
  for (let count = 0; count < 3; count++) {
    app.clock.advance(second)
    const { json } = await app.post('/auth/login', { email: ada.email, password: ada.password })
    bearers.push(json.sessionId)
  }
  const states = await Promise.all(bearers.map(async (sessionToken) => (await validate(sessionToken)).status))
  assert.deepEqual(states, [401, 200, 200, 200])
})

test('partial sessions that ran out make room before any full one', async () => {
  const ada = await registered(app)
  const login = async () => {
    app.clock.advance(second)
    return (await app.post('/auth/login', { email: ada.email, password: ada.password })).json.sessionId
  }
  const full = [await login()]
  const partial = await login()
  await sql`UPDATE sessions SET status = 'pending' WHERE user_id = ${ada.id} AND token_hash NOT IN (
    SELECT token_hash FROM sessions WHERE user_id = ${ada.id} ORDER BY created_at LIMIT 2)`.execute(app.ctx.db)
  app.clock.advance(10 * minute)
  full.push(await login())
  const states = await Promise.all(
    [ada.sessionToken, ...full, partial].map(async (sessionToken) => (await validate(sessionToken)).status),
  )
  assert.deepEqual(states, [200, 200, 200, 401])
})

test('a jump of time past the cached lifetime asks the database again', async () => {
  const ada = await registered(app)
  assert.equal((await validate(ada.sessionToken)).json.cacheSource, 'database')
  const cached = (await validate(ada.sessionToken)).json
  assert.equal(cached.cacheSource, 'memory')
  assert.equal(cached.cached, true)
  app.clock.advance(5 * second)
  const again = (await validate(ada.sessionToken)).json
  assert.equal(again.cacheSource, 'database')
  assert.equal(again.cached, false)
})

test('of more sessions than allowed those that ran out end first, not one that is still used', async () => {
  const ada = await registered(app)
  const signIn = async () =>
    (await app.post('/auth/login', { email: ada.email, password: ada.password })).json.sessionId
  const forgotten = await signIn()
  app.clock.advance(4 * day)
  assert.equal((await app.post('/auth/refresh', undefined, withSession(ada.sessionToken))).status, 200)
  app.clock.advance(4 * day)
  await signIn()
  await signIn()
  assert.equal((await validate(forgotten)).status, 401)
  assert.equal((await validate(ada.sessionToken)).status, 200)
})
