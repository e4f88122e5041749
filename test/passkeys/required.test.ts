import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { removePath } from '../../src/screens/account/security/schemas.ts'
import { textOf } from '../screens/all-pages.ts'
import { visitor } from '../screens/support.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { addOwnPasskey, homeOf, passkeyLogin } from '../support/passkeys.ts'
import { registered, signedInAs, withSession } from '../support/people.ts'
import {
  completeRecovery,
  createdOnPage,
  manyRecoveries,
  passwordlessUser,
  recoverySession,
} from '../support/recovery.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { fromBase32, totpOf } from '../two-factor/support.ts'

let app: TestApp
before(async () => {
  const env = { ...manyRecoveries, PASSKEY_REQUIRED_FOR: 'writer', TWO_FACTOR_REMEMBER: '30d' }
  app = await startTestApp({ modules: ['two-factor'], env: { ...env, ALLOWED_REDIRECTS: 'https://shop.test' } })
})
after(() => app?.stop())

const path = '/auth/recovery/passkeys'

/** A user of a type that must have a passkey. */
async function writer() {
  const user = await registered(app)
  await sql`UPDATE users SET user_type = 'writer', is_verified = true WHERE id = ${user.id}`.execute(app.ctx.db)
  return user
}

const loginOf = async ({ email, password }: { email: string; password: string }, headers = {}) =>
  (await app.post('/auth/login', { email, password }, { headers })).json

test('after a sign-in with a password, a user without a passkey can only add one, which completes the session', async () => {
  const ada = await writer()
  const signedIn = await loginOf(ada)
  assert.deepEqual(
    [signedIn.success, signedIn.requires_2fa, signedIn.passkey_required, signedIn.available_methods],
    [false, true, true, []],
  )
  const session = withSession(signedIn.sessionId)
  for (const address of ['/auth/me', '/auth/passkeys', '/auth/session/current']) {
    const { status, json } = await app.get(address, session)
    assert.deepEqual([status, json.code, json.passkey_required], [401, 'TWO_FACTOR_REQUIRED', true], address)
  }
  assert.equal((await app.get(path, session)).json.recovery, false)
  const authenticator = createAuthenticator(homeOf(app))
  const { json } = await completeRecovery(app, signedIn.sessionId, { authenticator })
  assert.deepEqual([json.success, json.requires_2fa], [true, false])
  assert.equal((await app.get('/auth/me', session)).status, 200)
  const { passkeys } = (await app.get('/auth/passkeys', session)).json
  assert.equal(passkeys[0].created_via, 'settings')
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 401, 'other sessions end')
  assert.equal((await passkeyLogin(app, authenticator)).json.requires_2fa, false)
})

test('a user who has a passkey must use it, and another sign-in adds none', async () => {
  const ada = await writer()
  const authenticator = createAuthenticator(homeOf(app))
  const first = await loginOf(ada)
  const second = await loginOf(ada)
  const start = await app.post(`${path}/options`, {}, withSession(second.sessionId))
  await completeRecovery(app, first.sessionId, { authenticator })
  const stranger = createAuthenticator(homeOf(app)).create(start.json.options)
  const ended = await app.post(path, { response: stranger }, withSession(second.sessionId))
  assert.equal(ended.status, 401, 'it has ended')

  const { sessionId } = await loginOf(ada)
  const rejected = await app.post(`${path}/options`, {}, withSession(sessionId))
  assert.deepEqual([rejected.status, rejected.json.code, rejected.json.passkey_required], [403, 'FORBIDDEN', true])
  const added = await app.post(path, { response: stranger }, withSession(sessionId))
  assert.deepEqual([added.status, added.json.passkey_required], [403, true])
  assert.equal((await auditOf(app, 'passkey_rejected')).at(-1)?.details.reason, 'passkey_required')
  assert.equal((await app.get('/auth/me', withSession(sessionId))).status, 401)
})

test('after a reset by an administrator, the password does not suffice to add the next passkey', async () => {
  const admin = withSession((await signedInAs(app, 'superadmin')).sessionToken)
  for (const reset of ['passkeys', 'two_factor']) {
    const ada = await writer()
    await completeRecovery(app, (await loginOf(ada)).sessionId)
    assert.equal((await app.call('DELETE', `/auth/admin/users/${ada.id}/${reset}`, admin)).status, 200)
    assert.equal((await loginOf(ada)).code, 'INVALID_CREDENTIALS', reset)
  }
  assert.equal((await auditOf(app, 'passkeys_reset')).at(-1)?.details.password_removed, true)
  assert.equal((await auditOf(app, 'mfa_removed')).at(-1)?.details.password_removed, true)
})

test('without email, the password stays, because the owner could not receive a link', async () => {
  const admin = withSession((await signedInAs(app, 'superadmin')).sessionToken)
  const ada = await writer()
  await completeRecovery(app, (await loginOf(ada)).sessionId)
  const mailer = app.ctx.mailer as { isConfigured: boolean }
  mailer.isConfigured = false
  try {
    assert.equal((await app.call('DELETE', `/auth/admin/users/${ada.id}/two_factor`, admin)).status, 200)
  } finally {
    mailer.isConfigured = true
  }
  assert.equal((await loginOf(ada)).passkey_required, true)
})

test('a mailed code does not replace the passkey, and a recovery does', async () => {
  const user = await passwordlessUser(app)
  await sql`UPDATE users SET user_type = 'writer' WHERE id = ${user.id}`.execute(app.ctx.db)
  const { json } = await app.post('/auth/token/create', { identifier: user.email })
  const code = /^(\d{6})\b/m.exec((await app.mailTo(user.email, 1)).text)?.[1]
  const login = await app.post('/auth/token/create', { token_id: json.token_id, code })
  assert.deepEqual([login.status, login.json.passkey_required], [200, true], login.text)
  assert.equal((await app.post(`${path}/options`, {}, withSession(login.json.sessionId))).status, 403)
  const sessionToken = await recoverySession(app, user)
  assert.equal((await completeRecovery(app, sessionToken)).status, 200)
})

async function withTotp() {
  const user = await registered(app)
  const begun = await app.post('/auth/two_factor/totp/setup', {}, withSession(user.sessionToken))
  const seed = fromBase32(begun.json.secret)
  const code = () => totpOf(seed, app.clock.now())
  const body = { method_id: begun.json.method_id, action: 'setup', code: code() }
  await app.post('/auth/two_factor/verify', body, withSession(user.sessionToken))
  app.clock.advance(30_000)
  return { ...user, code }
}

test('a second factor comes first and does not replace the passkey', async () => {
  const user = await withTotp()
  // The browser is remembered before the passkey becomes mandatory.
  const early = await loginOf(user)
  const remembering = { action: 'login', code: user.code(), remember_device: true }
  const { cookies } = await app.post('/auth/two_factor/verify', remembering, withSession(early.sessionId))
  app.clock.advance(30_000)
  await sql`UPDATE users SET user_type = 'writer', is_verified = true WHERE id = ${user.id}`.execute(app.ctx.db)
  const signedIn = await loginOf(user, { cookie: `cb=${cookies.cb?.value}` })
  assert.deepEqual([signedIn.requires_2fa, signedIn.passkey_required], [true, undefined])
  const session = withSession(signedIn.sessionId)
  const tooEarly = await app.post(`${path}/options`, {}, session)
  assert.deepEqual(
    [tooEarly.status, tooEarly.json.code, tooEarly.json.passkey_required],
    [401, 'TWO_FACTOR_REQUIRED', undefined],
  )
  const body = { action: 'login', code: user.code(), remember_device: true }
  const verified = await app.post('/auth/two_factor/verify', body, session)
  assert.deepEqual([verified.json.session_activated, verified.json.passkey_required], [false, true], verified.text)
  assert.equal(verified.cookies.cb, undefined)
  assert.equal((await app.get('/auth/me', session)).json.passkey_required, true)
  const again = await app.post('/auth/two_factor/verify', body, session)
  assert.equal(again.json.code, 'TWO_FACTOR_REQUIRED')
  assert.equal((await completeRecovery(app, signedIn.sessionId)).status, 200)
  assert.equal((await app.get('/auth/me', session)).status, 200)
})

test('lost passkeys are removed only in a recovery', async () => {
  const ada = await registered(app)
  const { json } = await addOwnPasskey(app, ada.sessionToken, createAuthenticator(homeOf(app)))
  // A passkey that has never verified its user signs nobody in, so another one may be added.
  await sql`UPDATE passkeys SET uv_seen = false WHERE user_id = ${ada.id}`.execute(app.ctx.db)
  await sql`UPDATE users SET user_type = 'writer', is_verified = true WHERE id = ${ada.id}`.execute(app.ctx.db)
  const { sessionId } = await loginOf(ada)
  const reply = await completeRecovery(app, sessionId, { remove: [json.id] })
  assert.deepEqual([reply.status, reply.json.details[0].field], [400, 'remove'])
  assert.deepEqual((await app.get(path, withSession(sessionId))).json.passkeys, [], 'only a recovery may see them')
  assert.equal((await completeRecovery(app, sessionId)).status, 200)
})

test('a session from before the requirement removes the passkey only with the passkey', async () => {
  const ada = await registered(app)
  const session = withSession(ada.sessionToken)
  const authenticator = createAuthenticator(homeOf(app))
  const { json } = await addOwnPasskey(app, ada.sessionToken, authenticator)
  await sql`UPDATE users SET user_type = 'writer', is_verified = true WHERE id = ${ada.id}`.execute(app.ctx.db)
  const remove = (body: object) => app.call('DELETE', `/auth/passkeys/${json.id}`, { body, ...session })
  const byPassword = await remove({ current_password: ada.password })
  assert.deepEqual([byPassword.status, byPassword.json.code], [403, 'REAUTH_REQUIRED'])
  assert.equal(byPassword.json.passkey_required, true)
  const ofModule = await app.call('DELETE', `/auth/two_factor/${json.id}`, { body: {}, ...session })
  assert.deepEqual([ofModule.status, ofModule.json.code], [403, 'REAUTH_REQUIRED'])
  const start = await app.post('/auth/passkeys/options', { action: 'reauth' }, session)
  const response = authenticator.get(start.json.options)
  assert.equal((await app.post('/auth/reauthenticate', { response }, session)).status, 200)
  assert.equal((await remove({})).status, 200)
})

test('the page that removes the passkey asks for nothing but a passkey', async () => {
  const ada = await registered(app)
  const { json } = await addOwnPasskey(app, ada.sessionToken, createAuthenticator(homeOf(app)))
  await sql`UPDATE users SET user_type = 'writer', is_verified = true WHERE id = ${ada.id}`.execute(app.ctx.db)
  const browser = visitor(app, { cookie: `session_id=${ada.sessionToken}` })
  await browser.open(`${removePath}?id=${json.id}`)
  const asked = await browser.send(removePath)
  const confirmation = `/account/confirm?${new URLSearchParams({ next: `${removePath}?id=${json.id}`, way: 'passkey' })}`
  assert.deepEqual([asked.status, asked.headers.location], [303, confirmation])
  const page = await browser.open(confirmation)
  assert.match(textOf(page.text), /Use a passkey of this account/)
  assert.doesNotMatch(page.text, /way=password|type="password"/)
})

test('other types of users sign in as before', async () => {
  const grace = await registered(app, 'grace')
  const signedIn = await loginOf(grace)
  assert.deepEqual([signedIn.requires_2fa, signedIn.passkey_required], [false, undefined])
})

test('the pages lead from the password to the passkey, and from then on to the sign-in with it', async () => {
  const ada = await writer()
  const browser = visitor(app)
  await browser.open('/login')
  const step = await browser.send('/login', { identifier: ada.email, password: ada.password })
  assert.deepEqual([step.status, step.headers.location], [303, '/recover/passkey'])
  assert.equal((await browser.open('/login?requires_2fa=true')).headers.location, '/recover/passkey')
  assert.equal((await browser.open('/account')).headers.location, '/recover/passkey')
  const page = await browser.open('/recover/passkey')
  assert.match(textOf(page.text), /Your role requires a passkey/)
  const response = await createdOnPage(app, browser)
  const done = await browser.send('/recover/passkey', { response })
  // The password does not replace a lost passkey, so the user gets recovery codes.
  assert.match(textOf(done.text), /Save your recovery codes/)
  assert.equal((await browser.open('/account')).status, 200)

  const other = visitor(app)
  await other.open('/login')
  await other.send('/login', { identifier: ada.email, password: ada.password })
  const notice = await other.open('/recover/passkey')
  assert.equal(notice.status, 403)
  assert.match(textOf(notice.text), /Sign in with your passkey/)
})

test('without usable passkeys, or with an unknown type of user, the setting is refused', async () => {
  for (const env of [{ PASSKEYS_ENABLED: 'false' }, { PUBLIC_URL: 'http://127.0.0.1:3000' }])
    await assert.rejects(startTestApp({ env: { PASSKEY_REQUIRED_FOR: 'admin', ...env } }), /requires passkeys/)
  await assert.rejects(
    startTestApp({ env: { PASSKEY_REQUIRED_FOR: 'admim' } }),
    /names admim: not a user type\. The user types are superadmin, admin,/,
  )
})

test('the setting applies at once, locks out no superadmin, and passkeys stay on while it is used', async () => {
  const other = await startTestApp({ env: manyRecoveries })
  try {
    const superadmin = await signedInAs(other, 'superadmin')
    const set = (name: string, value: string) =>
      other.call('PUT', '/auth/admin/settings', {
        body: { changes: [{ name, value }] },
        ...withSession(superadmin.sessionToken),
      })
    assert.equal((await set('PASSKEY_REQUIRED_FOR', 'superadmin')).status, 200)
    const off = await set('PASSKEYS_ENABLED', 'false')
    assert.deepEqual([off.status, off.json.code], [400, 'VALIDATION_ERROR'])
    const { email, password } = superadmin
    const { json } = await other.post('/auth/login', { email, password })
    assert.deepEqual([json.requires_2fa, json.passkey_required], [true, true])
    assert.equal((await completeRecovery(other, json.sessionId)).status, 200)
    assert.equal((await other.get('/auth/admin/settings', withSession(json.sessionId))).status, 200)
  } finally {
    await other.stop()
  }
})
