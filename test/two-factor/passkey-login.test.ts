// Setup: default start
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createAuthenticator, type Ways } from '../support/authenticator.ts'
import {
  addPasskey,
  homeOf,
  loginChallenge,
  type PasskeyOwner,
  passkeyLogin,
  passkeyOwner,
} from '../support/passkeys.ts'
import { registered, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let ada: PasskeyOwner
let grace: PasskeyOwner
before(async () => {
  app = await startTestApp({ modules: ['two-factor'] })
  ada = await passkeyOwner(app)
  grace = await passkeyOwner(app, 'grace')
})
after(() => app?.stop())

test('a passkey opens a full session, which counts as confirmed', async () => {
  const { options } = await loginChallenge(app)
  assert.deepEqual(options.allowCredentials, [])
  assert.deepEqual([options.rpId, options.userVerification], ['localhost', 'required'])
  const reply = await passkeyLogin(app, ada.authenticator)
  assert.equal(reply.status, 200)
  assert.equal(reply.json.success, true)
  assert.equal(reply.json.requires_2fa, false)
  assert.equal(reply.json.user.id, ada.id)
  assert.equal(reply.cookies.session_id?.value, reply.json.sessionId)
  const view = await app.get('/auth/validation', withSession(reply.json.sessionId))
  assert.equal(view.json.session.two_factor_verified, 1)
  const [event] = (await auditOf(app, 'login_success')).slice(-1)
  assert.deepEqual([event?.target_id, event?.details.proof], [ada.id, 'passkey'])
})

test('an answer opens one session, and its twin none, also of an authenticator that does not count', async () => {
  const alan = await passkeyOwner(app, 'alan')
  const { challenge_id, options } = await loginChallenge(app)
  const body = { challenge_id, response: alan.authenticator.get(options, { signCount: 0 }) }
  const replies = await Promise.all([1, 2].map(() => app.post('/auth/passkey/login', body)))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 401])
  assert.equal((await app.post('/auth/passkey/login', body)).status, 401)
})

const stranger = createAuthenticator('http://localhost:3000')
stranger.create({ challenge: 'a', rp: { id: 'localhost' }, user: { id: 'bm9ib2R5' } })

const wrong: [what: string, ways: () => Ways, reason: string][] = [
  ['the page of somebody else', () => ({ origin: 'http://evil.test' }), 'response'],
  ['a page that only looks like ours', () => ({ origin: 'http://localhost:3000.evil.test' }), 'response'],
  ['another port', () => ({ origin: 'http://localhost:3001' }), 'response'],
  ['a passkey of another service', () => ({ rpId: 'evil.test' }), 'response'],
  ['a frame in a page of somebody else', () => ({ crossOrigin: true }), 'response'],
  ['a frame in a page of somebody else, as a text', () => ({ crossOrigin: 'true' }), 'response'],
  ['a registration', () => ({ type: 'webauthn.create' }), 'response'],
  ['an authenticator that did not verify its user', () => ({ userVerified: false }), 'response'],
  ['an authenticator that nobody touched', () => ({ userPresent: false }), 'response'],
  ['an authenticator without anybody', () => ({ userPresent: false, userVerified: false }), 'response'],
  [
    'the user handle of another user',
    () => ({ userHandle: grace.authenticator.credentials[0]?.userHandle ?? '' }),
    'response',
  ],
  ['no user handle', () => ({ userHandle: null }), 'response'],
  [
    'the credential of another user',
    () => ({ credentialId: grace.authenticator.credentials[0]?.id as Buffer }),
    'response',
  ],
  ['a challenge of our own making', () => ({ challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }), 'challenge'],
  ['a count that did not move on', () => ({ signCount: 1 }), 'sign_count'],
  ['no count after there was one', () => ({ signCount: 0 }), 'sign_count'],
]
for (const [what, ways, reason] of wrong) {
  test(`${what} signs nobody in, and leaves the challenge as it was`, async () => {
    await passkeyLogin(app, ada.authenticator)
    const before = await rowCounts(app)
    const { challenge_id, options } = await loginChallenge(app)
    const refused = await app.post('/auth/passkey/login', {
      challenge_id,
      response: ada.authenticator.get(options, ways()),
    })
    const unknown = await passkeyLogin(app, stranger)
    assert.deepEqual([refused.status, refused.json.code], [401, 'INVALID_CREDENTIALS'])
    const visible = ({ json: { request_id: _id, unknown_credential: _known, ...body }, cookies }: typeof refused) => ({
      body,
      cookies,
    })
    assert.deepEqual(visible(refused), visible(unknown))
    assert.deepEqual([refused.json.unknown_credential, unknown.json.unknown_credential], [undefined, true])
    const after = await rowCounts(app)
    assert.deepEqual({ ...after, one_time_secrets: 0 }, { ...before, one_time_secrets: 0 })
    const reasons = (await auditOf(app, 'login_fail')).slice(-2).map(({ details }) => details.reason)
    assert.deepEqual(reasons, [reason, 'unknown_passkey'])
    const again = await app.post('/auth/passkey/login', { challenge_id, response: ada.authenticator.get(options) })
    assert.equal(again.status, 200)
  })
}

test('a challenge is good for its own id, for five minutes, and for signing in alone', async () => {
  const [one, other] = [await loginChallenge(app), await loginChallenge(app)]
  const crossed = { challenge_id: other.challenge_id, response: ada.authenticator.get(one.options) }
  assert.equal((await app.post('/auth/passkey/login', crossed)).status, 401)

  const pending = await app.post('/auth/login', ada)
  const start = await app.post('/auth/two_factor/passkey/start', {}, withSession(pending.json.sessionId))
  const { rows } = await sql<{ id: string }>`SELECT id FROM one_time_secrets WHERE purpose = 'passkey_check'
    ORDER BY created_at DESC, id DESC LIMIT 1`.execute(app.ctx.db)
  const borrowed = { challenge_id: rows[0]?.id, response: ada.authenticator.get(start.json.options) }
  assert.equal((await app.post('/auth/passkey/login', borrowed)).status, 401)

  app.clock.advance(300_001)
  const late = { challenge_id: one.challenge_id, response: ada.authenticator.get(one.options) }
  assert.equal((await app.post('/auth/passkey/login', late)).status, 401)
})

const malformed: [field: string, change: (response: Record<string, unknown>) => unknown][] = [
  ['response', () => undefined],
  ['response', () => 'response'],
  ['response.id', (response) => ({ ...response, id: 'with spaces' })],
  ['response.type', (response) => ({ ...response, type: 'password' })],
  ['response.response', (response) => ({ ...response, response: [] })],
  ['response.response.clientDataJSON', (response) => ({ ...response, response: {} })],
]
for (const [field, change] of malformed) {
  test(`a wrong ${field} is named`, async () => {
    const { challenge_id, options } = await loginChallenge(app)
    const response = change(ada.authenticator.get(options))
    const { status, json } = await app.post('/auth/passkey/login', { challenge_id, response })
    assert.deepEqual([status, json.code], [400, 'VALIDATION_ERROR'])
    assert.ok(
      json.details.some((detail: { field: string }) => detail.field === field),
      JSON.stringify(json.details),
    )
  })
}

test('bytes that mean nothing are refused like any other wrong answer', async () => {
  for (const part of ['clientDataJSON', 'authenticatorData', 'signature'] as const) {
    for (const nonsense of ['AA', Buffer.from('null').toString('base64url'), 'A'.repeat(3999)]) {
      const { challenge_id, options } = await loginChallenge(app)
      const answer = ada.authenticator.get(options)
      const response = { ...answer, response: { ...answer.response, [part]: nonsense } }
      const reply = await app.post('/auth/passkey/login', { challenge_id, response })
      assert.equal(reply.status, 401, `${part} ${nonsense.slice(0, 10)}`)
    }
  }
})

test('a passkey of a deleted user is as unknown as any', async () => {
  const alan = await passkeyOwner(app, 'alan')
  await app.call('DELETE', '/auth/user/me', { headers: { 'x-session-id': alan.sessionToken }, body: {} })
  assert.equal((await passkeyLogin(app, alan.authenticator)).status, 401)
})

test('where addresses must be verified, a passkey is no way around that', async () => {
  const strict = await startTestApp({ modules: ['two-factor'], env: { VERIFY_REGISTRATION: 'true' } })
  try {
    const somebody = await registered(strict, 'ada')
    await sql`UPDATE users SET is_verified = true WHERE email = ${somebody.email}`.execute(strict.ctx.db)
    const login = await strict.post('/auth/login', somebody)
    const authenticator = createAuthenticator(homeOf(strict))
    await addPasskey(strict, login.json.sessionId, authenticator)
    await sql`UPDATE users SET is_verified = false WHERE email = ${somebody.email}`.execute(strict.ctx.db)
    const reply = await passkeyLogin(strict, authenticator)
    assert.deepEqual([reply.status, reply.json.code], [403, 'EMAIL_NOT_VERIFIED'])
  } finally {
    await strict.stop()
  }
})
