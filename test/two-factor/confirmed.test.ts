import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute, second } from '../../src/lib/time.ts'
import { settled } from '../passwordless/support.ts'
import { registered, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { base, type Enrolled, fromBase32, fullSession, mailsOf, pending, totpOf, verify, withTotp } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({
    modules: ['two-factor'],
    env: { TWO_FACTOR_REMEMBER: '30d', RATE_LIMIT_LOGIN: '1000/1h', SMS_COUNTRIES: 'DE' },
  })
})
after(() => app?.stop())

const post = (path: string, sessionToken: string, body: object = {}) =>
  app.post(`${base}/${path}`, body, withSession(sessionToken))

/** A full session without a verified second factor, created with the password in a remembered browser. */
async function unconfirmed(person: Enrolled): Promise<string> {
  app.clock.advance(minute)
  const { sessionToken } = await pending(app, person)
  const promoted = await verify(app, sessionToken, { code: person.code(), remember_device: true })
  const login = { email: person.email, password: person.password }
  const reply = await app.post('/auth/login', login, { headers: { cookie: `cb=${promoted.cookies.cb?.value}` } })
  assert.equal(reply.json.requires_2fa, false, reply.text)
  // Advances the clock to the authenticator's next code.
  app.clock.advance(30 * second)
  return reply.json.sessionId
}

const ways: [what: string, path: string, body: object][] = [
  ['new recovery codes', 'recovery/regenerate', {}],
  ['an authenticator more', 'totp/setup', { name: 'mine' }],
  ['an address more', 'email/setup', {}],
]
for (const [what, path, body] of ways) {
  test(`${what}: only for a session that a second factor has confirmed`, async () => {
    const ada = await withTotp(app)
    const sessionToken = await unconfirmed(ada)
    for (const more of [{}, { current_password: ada.password }]) {
      const refused = await post(path, sessionToken, { ...body, ...more })
      assert.deepEqual([refused.status, refused.json.code], [403, 'REAUTH_REQUIRED'], refused.text)
      assert.match(refused.json.error, /second factor/)
    }
    // The rejected requests have neither removed nor added a method.
    const { json } = await app.get(`${base}/methods`, withSession(sessionToken))
    assert.deepEqual(
      json.methods.map(({ method }: { method: string }) => method),
      ['totp', 'recovery'],
    )
    const shown = await verify(app, sessionToken, { action: 'reauth', code: ada.code() })
    assert.equal(shown.status, 200, shown.text)
    const done = await post(path, sessionToken, body)
    assert.equal(done.status, 200, done.text)
  })
}

test('a sign-in by a second factor, and POST /auth/reauthenticate by one, are confirmations', async () => {
  const ada = await withTotp(app)
  assert.equal((await post('recovery/regenerate', await fullSession(app, ada))).status, 200)
  const sessionToken = await unconfirmed(ada)
  assert.equal(
    (await app.post('/auth/reauthenticate', { password: ada.password }, withSession(sessionToken))).status,
    200,
  )
  assert.equal((await post('recovery/regenerate', sessionToken)).json.code, 'REAUTH_REQUIRED')
  assert.equal((await app.post('/auth/reauthenticate', { code: ada.code() }, withSession(sessionToken))).status, 200)
  assert.equal((await post('recovery/regenerate', sessionToken)).status, 200)
})

test('who sets up the first method goes on with the second one and with new codes', async () => {
  const ada = await withTotp(app)
  const view = await app.get('/auth/validation', withSession(ada.sessionToken))
  assert.equal(view.json.session.two_factor_verified, 1)
  assert.equal((await post('email/setup', ada.sessionToken)).status, 200)
  assert.equal((await post('recovery/regenerate', ada.sessionToken)).status, 200)
})

test('setting up the first method does not count as a new proof', async () => {
  const ada = await registered(app)
  const { secret } = (await post('totp/setup', ada.sessionToken)).json
  app.clock.advance(15 * minute)
  const code = totpOf(fromBase32(secret), app.clock.now())
  assert.equal((await verify(app, ada.sessionToken, { action: 'setup', code })).status, 200)
  assert.equal((await post('recovery/regenerate', ada.sessionToken)).json.code, 'REAUTH_REQUIRED')
})

test('what was begun while nothing was asked counts only once a second factor has confirmed', async () => {
  const ada = await withTotp(app)
  await post('toggle', ada.sessionToken, { enabled: false, verification_code: ada.recoveryCodes[0] })
  const { json } = await app.post('/auth/login', { email: ada.email, password: ada.password })
  const begun = (await post('sms/setup', json.sessionId, { phone: '+4915112345678' })).json
  assert.equal((await post('toggle', json.sessionId, { enabled: true })).status, 200)
  const [text] = app.inbox?.list({ to: '+4915112345678' }) ?? []
  const code = /^(\d{6})\b/m.exec(text?.text ?? (await app.mailTo('+4915112345678')).text)?.[1]
  const early = await verify(app, json.sessionId, { action: 'setup', method_id: begun.method_id, code })
  assert.deepEqual([early.status, early.json.code], [403, 'REAUTH_REQUIRED'], early.text)
  assert.equal((await verify(app, json.sessionId, { action: 'reauth', code: ada.recoveryCodes[1] })).status, 200)
  const late = await verify(app, json.sessionId, { action: 'setup', method_id: begun.method_id, code })
  assert.equal(late.status, 200, late.text)
})

test('new recovery codes end the other sessions, and their owner hears of it', async () => {
  const ada = await withTotp(app)
  const other = await fullSession(app, ada)
  const { sessionToken: partial } = await pending(app, ada)
  assert.equal((await post('recovery/regenerate', ada.sessionToken, { current_password: ada.password })).status, 200)
  for (const sessionToken of [other, partial]) {
    const reply = await verify(app, sessionToken, { code: ada.recoveryCodes[0] })
    assert.equal(reply.status, 401, reply.text)
  }
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 200)
  await settled(app)
  assert.equal(mailsOf(app, ada.email, /recovery codes .* were replaced/).length, 1)
  const ofAda = async (event: Parameters<typeof auditOf>[1]) =>
    (await auditOf(app, event)).filter(({ target_id }) => target_id === ada.id).at(-1)?.details
  assert.deepEqual(await ofAda('mfa_enrolled'), { method: 'recovery' })
  assert.equal((await ofAda('session_ended'))?.reason, 'two_factor_changed')
})
