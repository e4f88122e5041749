import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sha256, sha256Bytes } from '../../src/lib/hash.ts'
import { newId } from '../../src/lib/ids.ts'
import { day, iso, minute } from '../../src/lib/time.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { emailFactor, requireSecondFactor } from '../support/second-factor.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ secondFactor: emailFactor, env: { RATE_LIMIT_LOGIN: '1000/1h' } })
})
after(() => app.stop())

const chrome =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'

const signIn = async ({ email, password }: SignedIn, headers = {}): Promise<string> =>
  (await app.post('/auth/login', { email, password }, { headers, from: '203.0.113.9' })).json.sessionId
const list = async (sessionToken: string) =>
  (await app.get('/auth/sessions', withSession(sessionToken))).json.data.sessions
const end = (sessionToken: string, id: string) => app.call('DELETE', `/auth/sessions/${id}`, withSession(sessionToken))
const endOthers = (sessionToken: string, body?: unknown) =>
  app.call('DELETE', '/auth/sessions', { body, ...withSession(sessionToken) })
const me = async (sessionToken: string) => (await app.get('/auth/me', withSession(sessionToken))).status
const validate = async (session_id: string) =>
  (await app.post('/auth/bridge/validate', { session_id }, { headers: { 'x-bridge-secret': bridgeSecret } })).status
const endedOf = async ({ id }: SignedIn) =>
  (await auditOf(app, 'session_ended')).filter(({ target_id }) => target_id === id)

test('a user sees where they are signed in, newest first, in words, and which session asks', async () => {
  const ada = await registered(app)
  app.clock.advance(minute)
  const sessionToken = await signIn(ada, { 'user-agent': chrome })
  const reply = await app.get('/auth/sessions', withSession(ada.sessionToken))
  assert.equal(reply.status, 200)
  const [newest, first] = reply.json.data.sessions
  assert.deepEqual(newest, {
    id: newest.id,
    sessionPrefix: sha256(sessionToken).slice(0, 8),
    ipAddress: '203.0.113.9',
    userAgent: chrome,
    userDevice: 'Chrome on macOS',
    application: null,
    applicationId: null,
    parentId: null,
    impersonated: false,
    lastUsedAt: iso(app.clock.now()),
    createdAt: iso(app.clock.now()),
    expiresAt: iso(app.clock.now() + 7 * day),
    status: 'active',
    current: false,
  })
  assert.equal(first.current, true)
  assert.deepEqual(
    (await list(sessionToken)).map(({ current }: { current: boolean }) => current),
    [true, false],
  )
})

test('a session shows the name that the client gave its device, cleaned, for the user and for administrators', async () => {
  const ada = await registered(app)
  const label = async (device_id: string) => {
    const { email, password } = ada
    await app.post('/auth/login', { email, password, device_id }, { headers: { 'user-agent': chrome } })
    app.clock.advance(minute)
    return (await list(ada.sessionToken))[0].userDevice
  }
  assert.equal(await label('Phone of Ada'), 'Phone of Ada')
  const admin = await signedInAs(app, 'admin')
  const details = await app.get(`/auth/admin/users/${ada.id}`, withSession(admin.sessionToken))
  assert.equal(details.json.data.sessions[0].userDevice, 'Phone of Ada')
  assert.equal(await label(' one\u202e\ntwo '), 'one  two')
  for (const nothing of ['', '  ', '\n']) assert.equal(await label(nothing), 'Chrome on macOS')
})

test('nothing in the list opens a session', async () => {
  const ada = await registered(app)
  const { text, json } = await app.get('/auth/sessions', withSession(ada.sessionToken))
  for (const secret of [ada.sessionToken, ada.sessionToken.slice(4), sha256(ada.sessionToken)])
    assert.ok(!text.includes(secret))
  const [{ id, sessionPrefix }] = json.data.sessions
  assert.ok(!ada.sessionToken.includes(sessionPrefix))
  for (const value of [id, sessionPrefix, `ses_${sessionPrefix}`]) assert.equal(await me(value), 401)
})

test('only live sessions are listed, those that wait for a second factor too', async () => {
  const ada = await registered(app)
  const ended = await signIn(ada)
  await app.post('/auth/logout', undefined, withSession(ended))
  await app.database.query('UPDATE sessions SET last_used_at = $1 WHERE token_hash = $2', [
    new Date(app.clock.now() - 8 * day),
    sha256Bytes(await signIn(ada)),
  ])
  await requireSecondFactor(app, ada.id)
  await signIn(ada)
  const words = async () => (await list(ada.sessionToken)).map(({ status }: { status: string }) => status)
  assert.deepEqual(await words(), ['pending', 'active'])
  app.clock.advance(5 * minute)
  assert.deepEqual(await words(), ['active'])
})

test('one session is ended at once, also for those who have just asked about it, and leaves a trace', async () => {
  const ada = await registered(app)
  const other = await signIn(ada)
  assert.deepEqual([await validate(other), await me(other)], [200, 200])
  const { id } = (await list(ada.sessionToken)).find(({ current }: { current: boolean }) => !current)
  const reply = await end(ada.sessionToken, id)
  assert.deepEqual(reply.json, { success: true, message: 'One session ended', data: { ended: 1 } })
  assert.deepEqual([await validate(other), await me(other), await me(ada.sessionToken)], [401, 401, 200])
  assert.equal((await end(ada.sessionToken, id)).json.code, 'NOT_FOUND')
  const [event, ...more] = await endedOf(ada)
  assert.deepEqual(event?.details, { reason: 'ended_by_user', sessions: [id] })
  assert.deepEqual(more, [])
})

test('ids of others, of nobody and of no form are all the same 404, and end nothing', async () => {
  const [ada, grace] = [await registered(app), await registered(app, 'grace')]
  const [theirs] = await list(grace.sessionToken)
  for (const id of [theirs.id, newId(), 'x', theirs.id.toUpperCase()]) {
    const { status, json } = await end(ada.sessionToken, id)
    assert.deepEqual([status, json.code], [404, 'NOT_FOUND'])
  }
  assert.equal(await me(grace.sessionToken), 200)
  assert.deepEqual(await endedOf(grace), [])
})

test('a browser that ends its own session loses the cookie', async () => {
  const ada = await registered(app)
  const [own] = await list(ada.sessionToken)
  const headers = { cookie: `session_id=${ada.sessionToken}`, origin: 'http://localhost:3000' }
  const reply = await app.call('DELETE', `/auth/sessions/${own.id}`, { headers })
  assert.equal(reply.status, 200)
  assert.equal(reply.cookies.session_id?.maxAge, 0)
  assert.equal(await me(ada.sessionToken), 401)
})

test('another site ends nothing with the cookie of its visitor', async () => {
  const ada = await registered(app)
  const other = await signIn(ada)
  const headers = { cookie: `session_id=${ada.sessionToken}`, origin: 'https://evil.test' }
  const [{ id }] = await list(ada.sessionToken)
  for (const url of ['/auth/sessions', `/auth/sessions/${id}`])
    assert.equal((await app.call('DELETE', url, { headers })).json.code, 'CSRF_REJECTED')
  assert.deepEqual([await me(ada.sessionToken), await me(other)], [200, 200])
})

test('all others end at once, partial ones too, and the one that asks goes on with its value', async () => {
  const [ada, grace] = [await registered(app), await registered(app, 'grace')]
  const others = [await signIn(ada), await signIn(ada)]
  for (const sessionToken of others) assert.equal(await validate(sessionToken), 200)
  const reply = await endOthers(ada.sessionToken)
  assert.deepEqual(reply.json, { success: true, message: '2 sessions ended', data: { ended: 2 } })
  for (const sessionToken of others) assert.equal(await validate(sessionToken), 401)
  assert.deepEqual([await me(ada.sessionToken), await me(grace.sessionToken)], [200, 200])
  assert.equal((await endOthers(ada.sessionToken)).json.data.ended, 0)
  const [event, ...more] = await endedOf(ada)
  assert.deepEqual(
    [event?.details.reason, (event?.details.sessions as string[] | undefined)?.length],
    ['ended_by_user', 2],
  )
  assert.deepEqual(more, [])
})

test('ending all others needs a fresh sign-in, or the password', async () => {
  const ada = await registered(app)
  app.clock.advance(11 * minute)
  const other = await signIn(ada)
  const refused = await endOthers(ada.sessionToken)
  assert.deepEqual([refused.status, refused.json.code], [403, 'REAUTH_REQUIRED'])
  const wrong = await endOthers(ada.sessionToken, { current_password: 'not the password' })
  assert.deepEqual([wrong.status, wrong.json.code], [400, 'INVALID_CURRENT_PASSWORD'])
  assert.equal(await me(other), 200)
  assert.equal((await endOthers(ada.sessionToken, { current_password: ada.password })).json.data.ended, 1)
  assert.equal(await me(other), 401)
})

test('a session that a sign-in replaces leaves a trace of where that was', async () => {
  const ada = await registered(app)
  await signIn(ada, { cookie: `session_id=${ada.sessionToken}` })
  const traces = "SELECT ip FROM audit_events WHERE event = 'session_ended' AND target_id = $1"
  assert.deepEqual(await app.database.query(traces, [ada.id]), [{ ip: '203.0.113.9' }])
})
