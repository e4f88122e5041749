// Setup: default start
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { registered, withSession } from '../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

const loginMembers = [
  'id',
  'email',
  'name',
  'last_name',
  'user_name',
  'user_type',
  'picture',
  'is_verified',
  'two_factor',
  'lang',
  'metadata',
  'tmz',
  'dob',
  'display_name',
  'first_time',
  'gender',
  'title',
].sort()

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

test('GET /auth/me answers with the user at both places and the session in both spellings', async () => {
  const ada = await registered(app, 'ada', { name: 'Ada', last_name: 'Lovelace', lang: 'es', tmz: 'Europe/London' })
  const { status, json, headers } = await app.get('/auth/me', withSession(ada.sessionToken))
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(json.user).sort(), loginMembers)
  assert.deepEqual(json.data, { user: json.user })
  assert.equal(json.user.lang, 'es')
  assert.equal(json.user.tmz, 'Europe/London')
  assert.equal(json.user.first_time, true)
  assert.equal(json.user.dob, null)
  assert.deepEqual(json.user.metadata, {})
  assert.equal(json.sessionId, ada.sessionToken)
  assert.equal(json.session_id, ada.sessionToken)
  assert.equal(json.expiresAt, json.expires_at)
  assert.match(json.expiresAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(headers['cache-control'], 'no-store')
})

test('GET and POST /auth/validation answer alike, the latter also for a session named in the body', async () => {
  const ada = await registered(app)
  const get = await app.get('/auth/validation', withSession(ada.sessionToken))
  const post = await app.post('/auth/validation', { sessionId: ada.sessionToken })
  assert.equal(get.status, 200)
  assert.deepEqual(post.json, get.json)
  assert.equal(get.json.requires_2fa, false)
  assert.equal(get.json.session.userId, ada.id)
  assert.equal(get.json.session.user_id, ada.id)
  assert.equal(get.json.session.two_factor_verified, 0)
  assert.notEqual(get.json.session.id, ada.sessionToken)
})

test('GET /auth/session/current resolves the cookie', async () => {
  const ada = await registered(app)
  const { status, json } = await app.get('/auth/session/current', {
    headers: { cookie: `session_id=${ada.sessionToken}` },
  })
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(json).sort(), [
    'application',
    'authenticated_at',
    'expiresAt',
    'expires_at',
    'methods',
    'requires_2fa',
    'session',
    'sessionId',
    'session_id',
    'success',
    'user',
  ])
})

test('GET /auth/user/me needs the bridge secret and the session, and answers exactly four members', async () => {
  const ada = await registered(app)
  const both = await app.get('/auth/user/me', {
    headers: { 'x-session-id': ada.sessionToken, 'x-bridge-secret': bridgeSecret },
  })
  assert.deepEqual(Object.keys(both.json).sort(), ['expiresAt', 'sessionId', 'success', 'user'])
  const withoutSecret = await app.get('/auth/user/me', withSession(ada.sessionToken))
  assert.equal(withoutSecret.status, 401)
  assert.equal(withoutSecret.json.code, 'BRIDGE_SECRET_REQUIRED')
  const withoutSession = await app.get('/auth/user/me', { headers: { 'x-bridge-secret': bridgeSecret } })
  assert.equal(withoutSession.status, 401)
  assert.equal(withoutSession.json.code, 'INVALID_SESSION')
})

test('no session, an unknown one and a row id are all an invalid session', async () => {
  const ada = await registered(app)
  const { json } = await app.get('/auth/validation', withSession(ada.sessionToken))
  for (const value of [
    '',
    'nonsense',
    `ses_${'A'.repeat(43)}`,
    json.session.id,
    `${ada.sessionToken} `,
    ada.sessionToken.slice(0, -1),
    ada.sessionToken.toLowerCase(),
  ]) {
    const reply = await app.get('/auth/me', withSession(value))
    assert.equal(reply.status, 401, value)
    assert.equal(reply.json.error, 'Invalid session')
    assert.equal(reply.json.code, 'INVALID_SESSION')
  }
})

test('a session id that is no text is named as the mistake', async () => {
  for (const session_id of [5, true, ['x'], {}]) {
    const { status, json } = await app.post('/auth/validation', { session_id })
    assert.equal(status, 400)
    assert.deepEqual(json.details, [{ field: 'session_id', message: 'must be a string' }])
  }
  assert.equal((await app.post('/auth/validation', { session_id: null })).status, 401)
})

test('a dead session cookie is taken away with the attributes it was set with', async () => {
  const ada = await registered(app)
  const set = ada.reply.cookies.session_id
  assert.equal(set?.httpOnly, true)
  assert.equal(set?.sameSite, 'Lax')
  assert.equal(set?.path, '/')
  assert.equal(set?.domain, undefined)
  const dead = await app.get('/auth/me', { headers: { cookie: `session_id=ses_${'A'.repeat(43)}` } })
  const cleared = dead.cookies.session_id
  assert.deepEqual({ ...cleared, value: '', maxAge: 0 }, { ...set, value: '', maxAge: 0 })
  assert.equal(cleared?.maxAge, 0)
})

test('POST /auth/refresh keeps the value and restarts the idle time', async () => {
  const ada = await registered(app)
  const before = (await app.get('/auth/validation', withSession(ada.sessionToken))).json
  app.clock.advance(60 * 60 * 1000)
  const { status, json } = await app.post('/auth/refresh', undefined, withSession(ada.sessionToken))
  assert.equal(status, 200)
  assert.equal(json.sessionId, ada.sessionToken)
  assert.equal(Date.parse(json.expiresAt) - Date.parse(before.expiresAt), 60 * 60 * 1000)
  const after = (await app.get('/auth/validation', withSession(ada.sessionToken))).json
  assert.equal(after.expiresAt, json.expiresAt)
})

test('POST /auth/invalidate/me answers with the time and does not extend the session', async () => {
  const ada = await registered(app)
  app.clock.advance(2 * 60 * 60 * 1000)
  const reply = await app.post('/auth/invalidate/me', undefined, withSession(ada.sessionToken))
  assert.equal(reply.status, 200)
  assert.match(reply.json.timestamp, /Z$/)
  const { json } = await app.post(
    '/auth/bridge/validate',
    { session_id: ada.sessionToken },
    { headers: { 'x-bridge-secret': bridgeSecret } },
  )
  assert.equal(json.cacheSource, 'database')
  assert.equal(Date.parse(json.session.lastUsedAt), app.clock.now() - 2 * 60 * 60 * 1000)
})
