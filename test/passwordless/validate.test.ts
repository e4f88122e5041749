// Setup: default start
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { registered, withSession } from '../support/people.ts'
import { rowCounts } from '../support/rows.ts'
import { emailFactor, requireSecondFactor } from '../support/second-factor.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'
import { asked, verify, withSecret } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ secondFactor: emailFactor })
})
after(() => app.stop())

const path = '/auth/token/validate'
const validate = (body: Record<string, unknown>, call = {}) => app.post(path, body, { ...withSecret, ...call })

test('a back end redeems a link, and gets user and session in exactly the shape of the contract', async () => {
  const ada = await registered(app, 'ada', { name: 'Ada', last_name: 'Lovelace' })
  const { token } = await asked(app, ada.email)
  const endUser = {
    ip: '::ffff:203.0.113.9',
    user_agent: 'Mozilla/5.0 (Macintosh) Chrome/130',
    device_fingerprint: 'fp',
  }
  const reply = await validate({ token, ...endUser })
  assert.equal(reply.status, 200)
  const { sessionId, expiresAt, ...rest } = reply.json
  assert.deepEqual(rest, {
    success: true,
    message: 'Signed in',
    user: {
      id: ada.id,
      email: ada.email,
      name: 'Ada',
      lastName: 'Lovelace',
      userName: ada.user_name,
      userType: 'customer',
      isVerified: true,
    },
  })
  assert.match(expiresAt, /Z$/)
  assert.deepEqual(reply.cookies, {})
  const seen = await app.post('/auth/bridge/validate', { session_id: sessionId }, withSecret)
  assert.equal(seen.json.session.ipAddress, '203.0.113.9')
  assert.equal(seen.json.session.userAgent, endUser.user_agent)
  assert.equal((await validate({ token })).json.code, 'INVALID_TOKEN')
})

test('the secret is read from body or query, the code beside its id; by GET it is consumed directly', async () => {
  const ada = await registered(app)
  await verify(app, ada.id)
  const ways = [
    ({ token }: { token: string }) => app.get(`${path}?token=${token}`, withSecret),
    ({ token }: { token: string }) => app.post(`${path}?token=${token}`, undefined, withSecret),
    ({ token }: { token: string }) => app.post(`${path}?token=${token}`, { token }, withSecret),
    ({ id, code }: { id: string; code: string }) => validate({ token_id: id, code }),
    ({ id, code }: { id: string; code: string }) => app.get(`${path}?tokenId=${id}&code=${code}`, withSecret),
  ]
  for (const way of ways) {
    const sent = await asked(app, ada.email)
    const reply = await way(sent)
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(Object.keys(reply.json).sort(), ['expiresAt', 'message', 'sessionId', 'success', 'user'])
    assert.equal((await way(sent)).status, 400)
  }
})

test('without the secret, with a wrong one or with one elsewhere nothing is spent', async () => {
  const ada = await registered(app)
  const { token } = await asked(app, ada.email)
  const before = await rowCounts(app)
  const calls = [
    () => app.post(path, { token }),
    () => app.get(`${path}?token=${token}`),
    () => app.post(path, { token, bridge_secret: bridgeSecret }),
    () => app.post(path, { token }, { headers: { 'x-bridge-secret': bridgeSecret.slice(1) } }),
    () => app.post(path, { token }, withSession(ada.sessionToken)),
    () => validate({ token }, { headers: { ...withSecret.headers, origin: 'https://evil.test' } }),
  ]
  for (const call of calls) assert.equal((await call()).json.code, 'BRIDGE_SECRET_REQUIRED')
  for (const method of ['HEAD', 'PUT', 'DELETE'])
    assert.equal((await app.call(method, `${path}?token=${token}`, withSecret)).status, 405, method)
  assert.equal((await app.call('OPTIONS', `${path}?token=${token}`, withSecret)).status, 200)
  assert.deepEqual(await rowCounts(app), before)
  assert.equal((await validate({ token })).status, 200)
})

test('a missing secret, two different ones and wrong members are refused, and spend nothing', async () => {
  const ada = await registered(app)
  const { token, id, code } = await asked(app, ada.email)
  const rejections: [reply: ReturnType<typeof validate>, field: string][] = [
    [validate({}), 'token'],
    [app.get(path, withSecret), 'token'],
    [app.post(`${path}?token=x`, { token }, withSecret), 'token'],
    [validate({ token, code }), 'token'],
    [validate({ token_id: id }), 'code'],
    [validate({ token, ip: 'somewhere' }), 'ip'],
    [validate({ token, user_agent: ['x'] }), 'user_agent'],
  ]
  for (const [reply, field] of rejections) {
    const { status, json } = await reply
    assert.deepEqual([status, json.details[0].field], [400, field])
  }
  assert.equal((await app.get(`${path}?token=${token}&token=${token}`, withSecret)).status, 400)
  assert.equal((await validate({ token_id: id, code })).status, 200)
})

test('a user with a second factor gives the back end a partial session, and says so', async () => {
  const ada = await registered(app)
  await verify(app, ada.id)
  await requireSecondFactor(app, ada.id)
  const { token } = await asked(app, ada.email)
  const { json } = await validate({ token })
  assert.deepEqual([json.success, json.requires_2fa, json.user.id], [false, true, ada.id])
  assert.equal(json.available_methods.length, 1)
  const seen = await app.post('/auth/bridge/validate', { session_id: json.sessionId }, withSecret)
  assert.equal(seen.status, 401)
})

test('calls are counted by the secret that is presented and by the end user, not by the back end', async () => {
  const from = '198.51.100.20'
  const left = async (body: Record<string, unknown>) => {
    const { status, headers } = await validate(body, { from })
    return `${status} ${headers['x-ratelimit-limit']} ${headers['x-ratelimit-remaining']}`
  }
  assert.equal(await left({ token: 'guess-1' }), '400 20 19')
  assert.equal(await left({ token: 'guess-1' }), '400 20 18')
  assert.equal(await left({ token: 'guess-2', ip: '203.0.113.50' }), '400 20 19')
  assert.equal(await left({ token: 'guess-3', ip: '203.0.113.50' }), '400 20 18')
  for (let count = 4; count < 22; count++) await left({ token: `guess-${count}`, ip: '203.0.113.50' })
  assert.equal(await left({ token: 'guess-22', ip: '203.0.113.50' }), '429 20 0')
  assert.equal(await left({ token: 'guess-22', ip: '203.0.113.51' }), '400 20 18')
  const ada = await registered(app)
  const { token } = await asked(app, ada.email)
  assert.equal(await left({ token }), '200 20 19')
  for (let count = 0; count < 20; count++) await left({ token: 'guess-1' })
  assert.match(await left({ token: 'guess-1' }), /^429/)
})
