import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSetupLink } from '../../src/admin/setup-link.ts'
import { newSecret, newSessionToken } from '../../src/lib/ids.ts'
import { asked } from '../passwordless/support.ts'
import { person, signedInAs, withSession } from '../support/people.ts'
import { requireSecondFactor } from '../support/second-factor.ts'
import { bridgeSecret, type Reply, startTestApp, type TestApp } from '../support/test-app.ts'
import { fromBase32, totpOf, wrongCode } from '../two-factor/support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({
    modules: ['two-factor'],
    env: { LOG_REQUESTS: 'all', METRICS_TOKEN: 'metrics-canary-Rw8xQ2mV' },
  })
})
after(() => app.stop())

interface Answer {
  route: string
  reply: Reply
}

/** All responses so far. `ask` sends a request and records the response. */
const answers: Answer[] = []
async function ask(method: string, url: string, call: Parameters<TestApp['call']>[2] = {}): Promise<Reply> {
  const reply = await app.call(method, url, call)
  answers.push({ route: `${method} ${url.replace(/\?.*$/, '')}`, reply })
  return reply
}

/** The values that must not be revealed, by kind. The steps below add values. */
const canaries = {
  passwords: ['canary of a wrong password'],
  bearers: [newSessionToken()],
  tokens: [newSecret()],
  factors: [] as string[],
  stored: [] as string[],
}

/** The routes that are documented to return a session token. */
const showsBearer = [
  'POST /auth/login',
  'POST /auth/register/public',
  'GET /auth/validation',
  'POST /auth/validation',
  'GET /auth/session/current',
  'GET /auth/me',
  'GET /auth/user/me',
  'POST /auth/refresh',
  'POST /auth/setup',
  'POST /auth/token/login',
  'GET /auth/token/validate',
  'POST /auth/two_factor/verify',
]

/** Pages that pass the token from their URL to their form, in a hidden field or a cookie. */
const showsToken = ['GET /reset-password', 'GET /auth/token/verify', 'GET /auth/setup', 'GET /login']

/** The only response with a seed, and the responses with recovery codes. */
const showsFactor = [
  'POST /auth/two_factor/totp/setup',
  'POST /auth/two_factor/verify',
  'POST /auth/two_factor/recovery/regenerate',
]

const inAnyWriting = (value: string): string[] => [
  value,
  encodeURIComponent(value),
  JSON.stringify(value).slice(1, -1),
  Buffer.from(value).toString('base64').replace(/=+$/, ''),
]

test('every operation, with secrets in all places', async () => {
  const ada = { ...person(), password: 'canary quiet river stones' }
  canaries.passwords.push(ada.password)
  const registration = await ask('POST', '/auth/register/public', { body: ada })
  await ask('POST', '/auth/register/public', { body: ada })
  await ask('POST', '/auth/register/public', { body: { ...person(), password: 'canary' } })
  await ask('POST', '/auth/login', { body: { email: ada.email, password: canaries.passwords[0] } })
  await ask('POST', '/auth/login', { body: { email: ada.password, password: [ada.password] } })
  await ask('POST', '/auth/login', { body: `{"password": "${ada.password}"` })
  await ask('POST', `/auth/login?password=${encodeURIComponent(ada.password)}&token=${canaries.tokens[0]}`, {
    body: {},
  })
  const { json } = await ask('POST', '/auth/login', { body: { email: ada.email, password: ada.password } })
  const bearers = [registration.json.sessionId, json.sessionId]
  canaries.bearers.push(...bearers)

  const token = /token=([\w-]{43})/.exec((await app.mailTo(ada.email)).text)?.[1] ?? ''
  canaries.tokens.push(token)
  for (const accept of ['text/html', 'application/json', 'application/json'])
    await ask('GET', `/auth/token/verify?token=${token}`, { headers: { accept } })
  await ask('POST', '/auth/token/verify', { body: { token: canaries.tokens[0] } })
  await ask('POST', '/auth/token/verify', {
    body: `token=${token}&form_token=x`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

  const login = await asked(app, ada.email)
  canaries.tokens.push(login.token)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  await ask('GET', `/login?token=${login.token}`)
  await ask('POST', '/auth/token/login', { body: `token=${login.token}&form_token=x`, headers: form })
  await ask('POST', '/auth/token/login', { body: { token: login.token, code: login.code } })
  await ask('POST', '/auth/token/validate', { body: { token: login.token } })
  const byLink = await ask('POST', '/auth/token/login', { body: { token: login.token } })
  const byBackEnd = await ask('GET', `/auth/token/validate?token=${(await asked(app, ada.email)).token}`, {
    headers: { 'x-bridge-secret': bridgeSecret },
  })
  await ask('POST', '/auth/token/login', { body: { token: login.token } })
  canaries.bearers.push(byLink.json.sessionId, byBackEnd.json.sessionId)

  const setup = new URL((await createSetupLink(app.ctx)) ?? '').searchParams.get('token') ?? ''
  canaries.tokens.push(setup)
  await ask('POST', '/auth/setup', { body: { token: setup, email: 'nobody', password: ada.password } })
  await ask('GET', `/auth/setup?token=${setup}`)
  const admin = await ask('POST', '/auth/setup', {
    body: { token: setup, ...person(), password: 'canary around the relay' },
  })
  canaries.passwords.push('canary around the relay')
  canaries.bearers.push(admin.json.sessionId)
  await ask('POST', '/auth/setup', { body: { token: setup, ...person(), password: ada.password } })

  await newPasswords()
  await secondFactors()
  await requireSecondFactor(app, registration.json.data.id)
  const pending = await ask('POST', '/auth/login', { body: { email: ada.email, password: ada.password } })
  canaries.bearers.push(pending.json.sessionId)
  for (const sessionToken of canaries.bearers) await everywhere(sessionToken)
  for (const sessionToken of canaries.bearers)
    await ask('POST', '/auth/logout', { headers: { cookie: `session_id=${sessionToken}` } })
  assert.ok(answers.length > 60 && canaries.bearers.every((sessionToken) => /^ses_/.test(sessionToken)))
})

/** Sets new passwords on every route, with both rejected and successful requests. */
async function newPasswords(): Promise<void> {
  const grace = { ...person('grace'), password: 'canary moths at night' }
  const [own, chosen, forced] = ['canary of my own', 'canary of a link', 'canary of an admin']
  canaries.passwords.push(grace.password, own, chosen, forced)
  const { json } = await ask('POST', '/auth/register/public', { body: grace })
  canaries.bearers.push(json.sessionId)
  for (const current_password of [chosen, grace.password])
    await ask('POST', '/auth/password-change/self', {
      body: { current_password, new_password: own },
      ...withSession(json.sessionId),
    })
  await ask('PUT', '/auth/profile', {
    body: { name: [own], password: own, metadata: { constructor: own } },
    ...withSession(json.sessionId),
  })

  const reset = '/auth/password-reset'
  await ask('POST', `${reset}/request`, {
    body: { email: grace.email, reset_url: `https://x.test/?token=${canaries.tokens[0]}` },
  })
  const token = /token=([\w-]{43})/.exec((await app.mailTo(grace.email, 2)).text)?.[1] ?? ''
  canaries.tokens.push(token)
  await ask('GET', `/reset-password?token=${token}`)
  for (const one of [token, canaries.tokens[0]]) {
    await ask('GET', `${reset}/validate/${one}`)
    await ask('GET', `${reset}/validate?token=${one}`)
    await ask('POST', `${reset}/validate`, { body: { token: one } })
  }
  for (const password of ['canary', chosen, chosen])
    await ask('POST', `${reset}/complete`, { body: { token, password } })
  assert.equal(answers.at(-2)?.reply.status, 200)

  const boss = await signedInAs(app, 'superadmin')
  await ask('POST', '/auth/password-change/admin', {
    body: { user_id: json.data.id, new_password: forced },
    ...withSession(boss.sessionToken),
  })
  assert.equal(answers.at(-1)?.reply.status, 200)
}

/** Sets up second factors, signs in with a recovery code, and triggers every possible error. */
async function secondFactors(): Promise<void> {
  const alan = { ...person('alan'), password: 'canary of a second factor' }
  canaries.passwords.push(alan.password)
  const { json } = await ask('POST', '/auth/register/public', { body: alan })
  const as = withSession(json.sessionId)
  const begun = await ask('POST', '/auth/two_factor/totp/setup', { body: {}, ...as })
  const { secret, method_id } = begun.json
  const code = totpOf(fromBase32(secret), app.clock.now())
  for (const one of [wrongCode(code), secret, code])
    await ask('POST', '/auth/two_factor/verify', { body: { action: 'setup', method_id, code: one }, ...as })
  const first: string[] = answers.at(-1)?.reply.json.recovery_codes
  const codes: string[] = (await ask('POST', '/auth/two_factor/recovery/regenerate', as)).json.recovery_codes
  canaries.factors.push(secret, ...first, ...codes)
  canaries.bearers.push(json.sessionId)
  const login = await ask('POST', '/auth/login', { body: { email: alan.email, password: alan.password } })
  canaries.bearers.push(login.json.sessionId)
  const partial = withSession(login.json.sessionId)
  for (const one of [first[0], `${codes[0]}x`, codes[0]])
    await ask('POST', '/auth/two_factor/verify', { body: { code: one }, ...partial })
  assert.equal(answers.at(-1)?.reply.status, 200)
  for (const one of [codes[1], codes[0]]) await ask('POST', '/auth/reauthenticate', { body: { code: one }, ...as })
  await ask('GET', '/auth/two_factor/methods', as)
  await ask('GET', `/auth/two_factor/methods?code=${codes[2]}`, {
    ...partial,
    headers: { ...partial.headers, referer: codes[2] ?? '' },
  })
  await ask('POST', '/auth/two_factor/toggle', { body: { enabled: false, verification_code: codes[3] }, ...as })
}

async function everywhere(sessionToken: string): Promise<void> {
  const by = [
    { headers: { 'x-session-id': sessionToken } },
    { headers: { cookie: `session_id=${sessionToken}` } },
    { query: { session_id: sessionToken } },
  ]
  for (const call of by) {
    for (const url of ['/auth/validation', '/auth/session/current', '/auth/me', '/auth/nothing', '/metrics', '/docs'])
      await ask('GET', url, call)
    await ask('POST', '/auth/refresh', call)
    await ask('GET', '/auth/user/me', { ...call, headers: { ...call.headers, 'x-bridge-secret': bridgeSecret } })
    await ask('GET', '/auth/user/me', {
      ...call,
      headers: { ...call.headers, 'x-bridge-secret': `${bridgeSecret}x`, authorization: `Bearer ${sessionToken}` },
    })
    await ask('POST', '/auth/bridge/validate', {
      ...call,
      headers: { ...call.headers, 'x-bridge-secret': bridgeSecret },
    })
  }
  await ask('POST', '/auth/validation', { body: { session_id: sessionToken } })
  await ask('GET', `/auth/nothing/${sessionToken}?token=${canaries.tokens[0]}`, {
    headers: { referer: `https://x.test/?session_id=${sessionToken}`, 'user-agent': sessionToken },
  })
}

test('when something breaks inside, the caller learns a number and the log one stack, without what was sent', async () => {
  await app.database.query('ALTER TABLE users RENAME TO lost', [])
  const { status, json } = await ask('POST', '/auth/login', {
    body: { email: 'ada@example.com', password: canaries.passwords[1] },
  })
  await app.database.query('ALTER TABLE lost RENAME TO users', [])
  assert.equal(status, 500)
  const { request_id, ...body } = json
  assert.deepEqual(body, { success: false, error: 'Internal server error', code: 'INTERNAL_ERROR' })
  const lines = app
    .logged()
    .split('\n')
    .filter((line) => line.includes(request_id) && line.includes('request failed'))
  assert.equal(lines.length, 1)
  assert.match(JSON.parse(lines[0] ?? '').err.stack, /at /)
})

test('no reply holds a password, a token, a hash or a secret, and a session value only where its holder is told', async () => {
  canaries.stored.push(...(await storedSecrets()))
  const { AUTH_SECRET, DATA_KEYS, METRICS_TOKEN } = app.ctx.config
  const never = [
    ...canaries.passwords,
    ...canaries.stored,
    bridgeSecret,
    AUTH_SECRET,
    METRICS_TOKEN ?? '',
    ...DATA_KEYS.map(({ value }) => value),
  ]
  for (const { route, reply } of answers) {
    const { 'set-cookie': cookies, ...headers } = reply.headers
    for (const secret of never.flatMap(inAnyWriting))
      assert.ok(!(reply.text + JSON.stringify(reply.headers)).includes(secret), `${route}: ${secret}`)
    for (const token of canaries.tokens.flatMap(inAnyWriting))
      assert.ok(showsToken.includes(route) || !(reply.text + JSON.stringify(reply.headers)).includes(token), route)
    for (const factor of canaries.factors.flatMap(inAnyWriting)) {
      const isShown = showsFactor.includes(route) && reply.status === 200
      assert.ok(isShown || !(reply.text + JSON.stringify(reply.headers)).includes(factor), route)
    }
    for (const sessionToken of canaries.bearers.flatMap(inAnyWriting)) {
      const isTold = showsBearer.includes(route) && reply.status === 200
      assert.ok(isTold || !reply.text.includes(sessionToken), route)
      assert.ok(!JSON.stringify(headers).includes(sessionToken), route)
      assert.ok(isTold || !String(cookies).includes(sessionToken), route)
    }
  }
})

test('no log contains any of them in any encoding, at the most verbose level', () => {
  const log = app.logged()
  assert.ok(log.includes('"msg":"request"') && log.includes('"msg":"refused"'), 'the log is a real one')
  const { AUTH_SECRET, DATA_KEYS } = app.ctx.config
  const all = [
    ...canaries.passwords,
    ...canaries.bearers,
    ...canaries.tokens,
    ...canaries.factors,
    ...canaries.stored,
    bridgeSecret,
    AUTH_SECRET,
    ...DATA_KEYS.map(({ value }) => value),
  ]
  for (const secret of all.flatMap(inAnyWriting)) assert.ok(!log.includes(secret), secret)
  for (const sessionToken of canaries.bearers) assert.ok(!log.includes(sessionToken.slice(4)), sessionToken)
})

/** The hashes and encrypted values in the database. */
async function storedSecrets(): Promise<string[]> {
  const rows = await app.database.query<{ kept: string }>(
    `SELECT password_hash AS kept FROM users WHERE password_hash IS NOT NULL UNION SELECT encode(token_hash, 'hex') FROM sessions
      UNION SELECT encode(secret_hash, 'hex') FROM one_time_secrets
      UNION SELECT secret FROM two_factor WHERE secret IS NOT NULL
      UNION SELECT encode(code_hash, 'hex') FROM recovery_codes`,
    [],
  )
  assert.ok(rows.length >= 8)
  return rows.flatMap(({ kept }) => [
    kept,
    ...(/^[0-9a-f]{64}$/.test(kept) ? otherForms(Buffer.from(kept, 'hex')) : []),
  ])
}

/** A buffer in JSON is a list of numbers. */
const otherForms = (hash: Buffer): string[] => [hash.toString('base64url'), hash.join()]
