import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newSessionToken } from '../../src/lib/ids.ts'
import { registered, type SignedIn } from '../support/people.ts'
import { emailFactor, requireSecondFactor } from '../support/second-factor.ts'
import { bridgeSecret, type Reply, startTestApp, type TestApp } from '../support/test-app.ts'
import { assertError, listen } from './support.ts'

let app: TestApp
let ada: SignedIn
let grace: SignedIn
before(async () => {
  app = await startTestApp({ secondFactor: emailFactor })
  ada = await registered(app)
  grace = await registered(app, 'grace')
})
after(() => app.stop())

type Headers = Record<string, string>
const me = (headers: Headers, url = '/auth/me') => app.get(url, { headers })
const emailOf = (reply: Reply) => reply.json.user?.email

test('names a session in Authorization with the scheme in any case', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR', 'Bearer '])
    assert.equal(emailOf(await me({ authorization: `${scheme} ${ada.sessionToken}` })), ada.email, scheme)
})

test('takes the headers, then query and cookie', async () => {
  const authorization = `Bearer ${ada.sessionToken}`
  const cookie = `session_id=${grace.sessionToken}`
  assert.equal(emailOf(await me({ 'x-session-id': ada.sessionToken, authorization })), ada.email)
  assert.equal(emailOf(await me({ 'x-session-id': grace.sessionToken, authorization: 'Bearer other' })), grace.email)
  assert.equal(emailOf(await me({ 'x-session-id': '', authorization })), ada.email)
  assert.equal(emailOf(await me({ authorization }, `/auth/me?session_id=${grace.sessionToken}`)), ada.email)
  assert.equal(emailOf(await me({ authorization, cookie })), ada.email)
  const ended = await me({ authorization: `Bearer ${newSessionToken()}`, cookie })
  assertError(ended, 401, 'INVALID_SESSION', 'an invalid session in Authorization decides')
})

test('takes different sessions in the headers of one request for none', async () => {
  const authorization = `Bearer ${ada.sessionToken}`
  const different: Headers[] = [
    { 'x-session-id': grace.sessionToken, authorization },
    { 'x-session-id': newSessionToken(), authorization },
    { 'x-session-id': 'x', authorization },
    { 'x-session-id': grace.sessionToken, authorization, cookie: `session_id=${ada.sessionToken}` },
  ]
  const bridge = { 'x-bridge-secret': bridgeSecret }
  for (const headers of different) {
    assertError(await me(headers), 401, 'INVALID_SESSION')
    assertError(await app.get('/auth/verify', { headers: { ...headers, ...bridge } }), 401, 'INVALID_SESSION')
    const asked = await app.post('/auth/bridge/validate', {}, { headers: { ...headers, ...bridge } })
    assertError(asked, 401, 'INVALID_SESSION')
  }
})

test('reads every line of Authorization', async () => {
  const send = await listen(app)
  const answered = async (...values: string[]) => {
    const lines = values.map((value) => `Authorization: ${value}\r\n`).join('')
    return (await send(`GET /auth/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n`)).slice(9, 12)
  }
  const [one, other] = [`Bearer ${ada.sessionToken}`, `Bearer ${grace.sessionToken}`]
  assert.equal(await answered(one), '200')
  assert.equal(await answered(one, one), '200')
  assert.equal(await answered('Basic YTpi', one), '200')
  assert.equal(await answered(one, other), '401')
  assert.equal(await answered(one, 'Basic YTpi', `bearer ${newSessionToken()}`), '401')
})

test('refuses a session value of ours that is malformed, and tells nothing more', async () => {
  for (const value of [
    'ses_',
    'ses_x',
    `${ada.sessionToken}x`,
    `${ada.sessionToken} `.padEnd(60, 'x'),
    `${ada.sessionToken}, x`,
  ])
    assertError(await me({ authorization: `Bearer ${value}` }), 401, 'INVALID_SESSION', value)
})

test('ignores every other scheme and every other bearer value', async () => {
  const cookie = `session_id=${grace.sessionToken}`
  const basic = `Basic ${Buffer.from(`${ada.email}:${ada.sessionToken}`).toString('base64')}`
  const others = [
    basic,
    `Basic ${ada.sessionToken}`,
    ada.sessionToken,
    `Bearer${ada.sessionToken}`,
    'Bearer',
    'Bearer eyJhbGciOiJub25lIn0.e30.',
  ]
  for (const authorization of [
    ...others,
    `Bearer x${ada.sessionToken}`,
    `Bearer SES_${ada.sessionToken.slice(4)}`,
    `Token ${ada.sessionToken}`,
  ]) {
    assert.equal(emailOf(await me({ authorization, cookie })), grace.email, authorization)
    assertError(await me({ authorization }), 401, 'INVALID_SESSION', authorization)
  }
})

test('is no cookie: a page of another origin that holds the value may write with it', async () => {
  const { sessionToken } = await registered(app)
  const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const reply = await app.post(
    '/auth/refresh',
    {},
    { headers: { ...elsewhere, authorization: `Bearer ${sessionToken}` } },
  )
  assert.equal(reply.status, 200)
  assert.deepEqual(reply.cookies, {})
  const both = { ...elsewhere, authorization: 'Bearer other', cookie: `session_id=${sessionToken}` }
  assertError(await app.post('/auth/refresh', {}, { headers: both }), 403, 'CSRF_REJECTED')
})

test('keeps a partial session partial', async () => {
  const { id, email, password } = await registered(app)
  await requireSecondFactor(app, id)
  const authorization = `Bearer ${(await app.post('/auth/login', { email, password })).json.sessionId}`
  assert.deepEqual((await me({ authorization })).json.success, false)
  assertError(await me({ authorization }, '/auth/sessions'), 401, 'TWO_FACTOR_REQUIRED')
})

test('names a session to the bridge as well, after body and query', async () => {
  const validate = (headers: Headers, body: object = {}) =>
    app.post('/auth/bridge/validate', body, { headers: { 'x-bridge-secret': bridgeSecret, ...headers } })
  const authorization = `Bearer ${ada.sessionToken}`
  assert.equal(emailOf(await validate({ authorization })), ada.email)
  assert.equal(emailOf(await validate({ authorization }, { session_id: grace.sessionToken })), grace.email)
  assertError(await validate({ authorization: 'Bearer something-else' }), 400, 'VALIDATION_ERROR')
})

test('answers 401 with a challenge for bearer values, and for nothing else', async () => {
  const challengeOf = ({ status, headers }: Reply) => {
    assert.equal(status, 401)
    return headers['www-authenticate']
  }
  const invalid = 'Bearer error="invalid_token"'
  for (const [authorization, expected] of [
    [`Bearer ${newSessionToken()}`, invalid],
    [`bearer ${newSessionToken()}`, invalid],
    ['Bearer ses_x', invalid],
    ['Bearer eyJhbGciOiJub25lIn0.e30.', invalid],
    ['Bearer', 'Bearer'],
    ['Basic YTpi', undefined],
    [`Bearer${newSessionToken()}`, undefined],
  ] as const) {
    assert.equal(challengeOf(await me({ authorization })), expected, authorization)
    const asked = await app.get('/auth/verify', { headers: { authorization, 'x-bridge-secret': bridgeSecret } })
    assert.equal(challengeOf(asked), expected, authorization)
  }
  assert.equal(challengeOf(await me({})), undefined)
  assert.equal(challengeOf(await me({ 'x-session-id': newSessionToken() })), undefined)
  assert.equal(challengeOf(await me({ cookie: `session_id=${newSessionToken()}` })), undefined)
  const authorization = `Bearer ${newSessionToken()}`
  const wrong = { email: ada.email, password: 'not the right one' }
  const login = await app.post('/auth/login', wrong, { headers: { authorization } })
  assert.equal(challengeOf(login), 'Bearer', 'the rejection is not about the session')
})
