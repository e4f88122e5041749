import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { person, registered } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { bridgeSecret, type Reply, startTestApp, type TestApp } from '../support/test-app.ts'

const apps: TestApp[] = []
after(() => Promise.all(apps.map((app) => app.stop())))

async function start(env: Record<string, string>): Promise<TestApp> {
  const app = await startTestApp({ env })
  apps.push(app)
  return app
}

test('VERIFY_REGISTRATION gives no session, and no sign-in before the address is proven', async () => {
  const app = await start({ VERIFY_REGISTRATION: 'true' })
  const ada = person()
  const reply = await app.post('/auth/register/public', ada)
  assert.equal(reply.status, 200)
  assert.deepEqual(Object.keys(reply.json).sort(), ['data', 'message', 'success'])
  assert.equal(reply.json.data.user.requiresVerification, true)
  assert.equal(reply.json.data.user.is_verified, false)
  assert.deepEqual(reply.cookies, {})
  const early = await app.post('/auth/login', { email: ada.email, password: ada.password })
  assert.equal(early.status, 403)
  assert.equal(early.json.code, 'EMAIL_NOT_VERIFIED')
  const wrong = await app.post('/auth/login', { email: ada.email, password: 'wrong password' })
  assert.equal(wrong.json.code, 'INVALID_CREDENTIALS')
  const token = /token=([\w-]+)/.exec((await app.mailTo(ada.email)).text)?.[1]
  assert.equal((await app.post('/auth/token/verify', { token })).status, 200)
  assert.equal((await app.post('/auth/login', { email: ada.email, password: ada.password })).status, 200)
})

test('REGISTRATION_REVEAL=hide responds the same for new and taken addresses, and notifies the owner by email', async () => {
  const app = await start({ REGISTRATION_REVEAL: 'hide' })
  const ada = person()
  const shown = { name: 'Ada', user_name: undefined, password: ada.password }
  const fresh = await app.post('/auth/register/public', { ...shown, email: ada.email })
  const taken = await app.post('/auth/register/public', { ...shown, email: ada.email })
  for (const reply of [fresh, taken]) {
    assert.equal(reply.status, 200)
    assert.match(reply.json.data.user.user_name, /^user_[a-z0-9]{10}$/)
    reply.json.data.user.user_name = 'user_'
  }
  assert.deepEqual(fresh.json, taken.json)
  assert.deepEqual(Object.keys(fresh.headers), Object.keys(taken.headers))
  assert.equal(JSON.stringify(fresh.json).includes('"id"'), false)
  assert.match((await app.mailTo(ada.email, 1)).text, /\/reset-password/)
  assert.equal((await auditOf(app, 'register_existing')).length, 1)
})

test('with hide, a taken user name is reported before anything about the address', async () => {
  const app = await start({ REGISTRATION_REVEAL: 'hide' })
  const ada = person()
  await app.post('/auth/register/public', ada)
  const answers: Reply[] = []
  for (const email of [ada.email, person().email])
    answers.push(await app.post('/auth/register/public', { ...ada, email }))
  for (const reply of answers) {
    assert.equal(reply.status, 400)
    assert.equal(reply.json.code, 'USER_NAME_TAKEN')
  }
})

test('REGISTRATION_ENABLED=false disables registration', async () => {
  const app = await start({ REGISTRATION_ENABLED: 'false' })
  const reply = await app.post('/auth/register/public', person())
  assert.equal(reply.status, 403)
  assert.equal(reply.json.code, 'REGISTRATION_DISABLED')
  assert.equal((await auditOf(app, 'register')).length, 1)
})

test('REGISTRATION_REQUIRES_BRIDGE lets only back ends register people', async () => {
  const app = await start({ REGISTRATION_REQUIRES_BRIDGE: 'true' })
  const without = await app.post('/auth/register/public', person())
  assert.equal(without.status, 401)
  assert.equal(without.json.code, 'BRIDGE_SECRET_REQUIRED')
  assert.equal(
    (await app.post('/auth/register/public', person(), { headers: { 'x-bridge-secret': bridgeSecret } })).status,
    200,
  )
})

test('CLIENT_COMPAT adds the twins that older clients read', async () => {
  const app = await start({ CLIENT_COMPAT: 'true', DEFAULT_PHONE_REGION: 'DE' })
  const ada = await registered(app, 'ada', { phone: '0170 1234567' })
  const headers = { 'x-session-id': ada.sessionToken }
  const me = (await app.get('/auth/user/me', { headers })).json
  assert.equal(me.success, true)
  assert.deepEqual(me.data, me.user)
  assert.equal(me.user.phone, '+491701234567')
  assert.equal(me.user.userType, 'customer')
  assert.equal(me.user.userName, ada.user_name)
  assert.equal(me.user.isVerified, false)
  assert.equal((await app.get('/auth/user/me', { headers: { ...headers, 'x-bridge-secret': 'wrong' } })).status, 401)
  const { json } = await app.post(
    '/auth/bridge/validate',
    { session_id: ada.sessionToken },
    { headers: { 'x-bridge-secret': bridgeSecret } },
  )
  assert.equal(json.session.user_id, ada.id)
  assert.equal(json.session.expires_at, json.expires_at)
  assert.equal(json.user.lastName, '')
})
