// Setup: default start
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createAuthenticator, type Ways } from '../support/authenticator.ts'
import { homeOf, passkeyLogin } from '../support/passkeys.ts'
import { person, registered, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const many = {
  RATE_LIMIT_REGISTRATION: '1000/1h',
  RATE_LIMIT_TOKEN_LOGIN: '1000/1h',
  RATE_LIMIT_TOKEN_VALIDATE: '1000/1h',
}

let app: TestApp
before(async () => {
  app = await startTestApp({ env: many })
})
after(() => app?.stop())

const path = '/auth/register/passkey'

/** Requests a code and reads it from the email. */
async function requestCode(email: string, at = app): Promise<{ registration_id: string; code: string }> {
  const { status, json, text } = await at.post(`${path}/code`, { email })
  assert.equal(status, 200, text)
  const mail = await at.mailTo(email, 0)
  return { registration_id: json.registration_id, code: /\b\d{6}\b/.exec(mail.text)?.[0] ?? '' }
}

async function register(email: string, ways: Ways = {}, at = app) {
  const proof = await requestCode(email, at)
  const authenticator = createAuthenticator(homeOf(at))
  const start = await at.post(`${path}/options`, proof)
  assert.equal(start.status, 200, start.text)
  const response = authenticator.create(start.json.options, ways)
  const body = { registration_id: proof.registration_id, response, name: 'Ada' }
  return { ...proof, start, authenticator, body, reply: await at.post(path, body) }
}

test('a passkey and a mailed code create a verified account without a password', async () => {
  const { email } = person()
  const { start, authenticator, body, reply } = await register(email)
  const { authenticatorSelection: selection, user } = start.json.options
  assert.deepEqual([selection.residentKey, selection.userVerification, user.name], ['required', 'required', email])
  assert.deepEqual([reply.status, reply.json.requires_2fa], [200, false])
  assert.equal(reply.cookies.session_id?.value, reply.json.sessionId)
  const { json } = await app.get('/auth/me', withSession(reply.json.sessionId))
  assert.deepEqual(
    [json.user.email, json.user.name, json.user.is_verified, json.user.user_type],
    [email, 'Ada', true, 'customer'],
  )
  const handle = Buffer.from(user.id, 'base64url').toString('hex')
  assert.equal(handle, json.user.id.replaceAll('-', ''), 'the passkey names the user who was created')

  const login = await passkeyLogin(app, authenticator)
  assert.deepEqual([login.status, login.json.user.id], [200, json.user.id])
  assert.equal((await app.post('/auth/login', { email, password: 'any password at all' })).status, 401)
  assert.equal((await app.post(path, body)).status, 400, 'the response is good once')
})

test('an address that is taken looks alike, and its owner receives another email', async () => {
  const owner = await registered(app, 'grace')
  const before = await rowCounts(app)
  const [taken, free] = [
    await app.post(`${path}/code`, { email: owner.email }),
    await app.post(`${path}/code`, { email: person().email }),
  ]
  assert.deepEqual(Object.keys(taken.json), Object.keys(free.json))
  assert.deepEqual([taken.status, taken.json.message], [free.status, free.json.message])
  assert.match((await app.mailTo(owner.email, 1)).subject, /already registered/)
  const guess = await app.post(`${path}/options`, { registration_id: taken.json.registration_id, code: '000000' })
  const other = await app.post(`${path}/options`, { registration_id: free.json.registration_id, code: 'nocode' })
  assert.deepEqual([guess.status, guess.json.code], [other.status, other.json.code])
  assert.deepEqual([guess.status, guess.json.code], [400, 'INVALID_CODE'])
  assert.equal((await rowCounts(app)).users, before.users)
})

test('a code is guessed five times at most, and a right one can be repeated until the passkey exists', async () => {
  const { email } = person()
  const proof = await requestCode(email)
  const first = await app.post(`${path}/options`, proof)
  const again = await app.post(`${path}/options`, proof)
  assert.deepEqual([first.status, again.status], [200, 200])
  const authenticator = createAuthenticator(homeOf(app))
  const stale = authenticator.create(first.json.options)
  assert.equal((await app.post(path, { registration_id: proof.registration_id, response: stale })).status, 400)
  const response = authenticator.create(again.json.options)
  assert.equal((await app.post(path, { registration_id: proof.registration_id, response })).status, 200)
  assert.equal((await app.post(`${path}/options`, proof)).status, 400, 'the code is used')

  const other = await requestCode(person().email)
  for (let guess = 0; guess < 5; guess++)
    await app.post(`${path}/options`, { ...other, code: other.code === '111111' ? '222222' : '111111' })
  assert.equal((await app.post(`${path}/options`, other)).status, 400)
})

test('a code that a stranger requests for the address ends no registration under way', async () => {
  const { email } = person()
  const mine = await requestCode(email)
  await app.post(`${path}/code`, { email })
  await app.mailTo(email, 1)
  const start = await app.post(`${path}/options`, mine)
  assert.equal(start.status, 200, start.text)
  await app.post(`${path}/code`, { email })
  await app.mailTo(email, 2)
  const response = createAuthenticator(homeOf(app)).create(start.json.options)
  const reply = await app.post(path, { registration_id: mine.registration_id, response })
  assert.equal(reply.status, 200, reply.text)
})

test('ten codes are guessed per address, however many registrations are under way', async () => {
  for (const [guesses, outcome] of [
    [9, undefined],
    [10, 'INVALID_CODE'],
  ] as const) {
    const { email } = person()
    const proofs: { registration_id: string; code: string }[] = []
    for (let index = 0; index < 4; index++) {
      const { json } = await app.post(`${path}/code`, { email })
      const { text } = await app.mailTo(email, index)
      proofs.push({ registration_id: json.registration_id, code: /\b\d{6}\b/.exec(text)?.[0] ?? '' })
    }
    const codes = proofs.map(({ code }) => code)
    const wrong = ['111111', '222222', '333333', '444444', '555555'].find((code) => !codes.includes(code))
    // Each code is guessed at most three times, of the five that it allows.
    for (let guess = 0; guess < guesses; guess++)
      await app.post(`${path}/options`, { ...proofs[guess % proofs.length], code: wrong })
    for (const proof of proofs) {
      const { json } = await app.post(`${path}/options`, proof)
      assert.equal(json.code, outcome, `after ${guesses} guesses`)
    }
  }
})

test('a registration id that is none is named', async () => {
  for (const registration_id of ['%', 'x', '']) {
    const replies = [
      await app.post(`${path}/options`, { registration_id, code: '000000' }),
      await app.post(path, { registration_id, response: createAuthenticator(homeOf(app)).create(unasked) }),
    ]
    for (const { status, json } of replies)
      assert.deepEqual([status, json.details?.[0]?.field], [400, 'registration_id'])
  }
})

const unasked = { challenge: 'AAAA', rp: { id: 'localhost' }, user: { id: 'AAAA' } }

const bad: [what: string, ways: Ways][] = [
  ['the page of somebody else', { origin: 'https://evil.test' }],
  ['no user present', { userPresent: false }],
  ['no user verified', { userVerified: false }],
  ['another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
]
for (const [what, ways] of bad) {
  test(`with ${what}, no account is created`, async () => {
    const before = await rowCounts(app)
    const { email } = person()
    const { reply } = await register(email, ways)
    assert.deepEqual([reply.status, reply.json.code], [400, 'INVALID_CODE'])
    const after = await rowCounts(app)
    assert.deepEqual([after.users, after.passkeys, after.sessions], [before.users, before.passkeys, before.sessions])
    assert.ok((await auditOf(app, 'passkey_rejected')).length > 0)
  })
}

test('a response belongs to its own registration', async () => {
  const [ada, grace] = [await requestCode(person().email), await requestCode(person('grace').email)]
  const start = await app.post(`${path}/options`, ada)
  await app.post(`${path}/options`, grace)
  const response = createAuthenticator(homeOf(app)).create(start.json.options)
  const crossed = await app.post(path, { registration_id: grace.registration_id, response })
  assert.equal(crossed.status, 400)
  assert.equal((await app.post(path, { registration_id: ada.registration_id, response })).status, 200)
})

test('a credential that another user has creates no account', async () => {
  const { authenticator } = await register(person().email)
  const credentialId = authenticator.credentials[0]?.id as Buffer
  const { reply } = await register(person('grace').email, { credentialId })
  assert.deepEqual([reply.status, reply.json.code], [400, 'INVALID_CODE'])
  assert.equal((await passkeyLogin(app, authenticator)).status, 200)
})

test('an address that was registered in the meantime is not taken over', async () => {
  const somebody = person()
  const proof = await requestCode(somebody.email)
  const start = await app.post(`${path}/options`, proof)
  await app.post('/auth/register/public', somebody)
  const response = createAuthenticator(homeOf(app)).create(start.json.options)
  const reply = await app.post(path, { registration_id: proof.registration_id, response })
  assert.deepEqual([reply.status, reply.json.code], [400, 'EMAIL_TAKEN'])
  const rejected = (await auditOf(app, 'passkey_rejected')).at(-1)
  assert.deepEqual([rejected?.outcome, rejected?.details], ['failure', { reason: 'taken' }])
})

test('a first proof of the address removes passkeys that somebody else added before it', async () => {
  const somebody = await registered(app)
  const { addOwnPasskey } = await import('../support/passkeys.ts')
  const stranger = createAuthenticator(homeOf(app))
  await addOwnPasskey(app, somebody.sessionToken, stranger)
  const { json } = await app.post('/auth/token/create', { identifier: somebody.email })
  const mail = await app.mailTo(somebody.email, 2)
  const code = /\b\d{6}\b/.exec(mail.text)?.[0]
  const login = await app.post('/auth/token/create', { token_id: json.token_id, code })
  assert.equal(login.status, 200, login.text)
  assert.equal((await passkeyLogin(app, stranger)).status, 401)
  const { rows } = await sql`SELECT id FROM passkeys WHERE user_id = ${somebody.id}`.execute(app.ctx.db)
  assert.deepEqual(rows, [])
})

test('where registration is closed, or passkeys or mail are off, no code is sent', async () => {
  const settings: [env: Record<string, string>, code: string][] = [
    [{ REGISTRATION_ENABLED: 'false' }, 'REGISTRATION_DISABLED'],
    [{ PASSKEYS_ENABLED: 'false' }, 'NOT_CONFIGURED'],
    [{ PUBLIC_URL: 'http://127.0.0.1:3000' }, 'NOT_CONFIGURED'],
  ]
  for (const [env, code] of settings) {
    const closed = await startTestApp({ env: { ...many, ...env } })
    try {
      const reply = await closed.post(`${path}/code`, { email: person().email })
      assert.equal(reply.json.code, code)
    } finally {
      await closed.stop()
    }
  }
})
