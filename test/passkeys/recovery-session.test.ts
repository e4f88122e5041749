import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { routesOf } from '../../src/http/server/create-server.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { eventually } from '../support/eventually.ts'
import { homeOf, passkeyLogin } from '../support/passkeys.ts'
import { withSession } from '../support/people.ts'
import {
  completeRecovery,
  manyRecoveries,
  passwordlessUser,
  recoveryMails,
  recoverySession,
  requestRecovery,
} from '../support/recovery.ts'
import { auditOf } from '../support/rows.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'
import { fromBase32, totpOf } from '../two-factor/support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({
    modules: ['onboarding', 'privacy', 'two-factor', 'api-keys', 'oauth', 'blog', 'post-types'],
    env: { ...manyRecoveries, BLOG_ENABLED: 'true', POST_TYPES_ENABLED: 'true', RATE_LIMIT_WRITE: '10000/1m' },
  })
})
after(() => app?.stop())

/** The routes of a recovery, and the sign-out, which ends the session. */
const allowed = new Set([
  'GET /auth/recovery/passkeys',
  'POST /auth/recovery/passkeys',
  'POST /auth/recovery/passkeys/options',
  'POST /auth/logout',
])

const withSecret = { 'x-bridge-secret': bridgeSecret }

test('every route but those of the recovery treats its session as none or as incomplete', async () => {
  const ada = await passwordlessUser(app)
  const sessionToken = await recoverySession(app, ada)
  const ways: Record<string, string>[] = [
    { 'x-session-id': sessionToken },
    { cookie: `session_id=${sessionToken}` },
    { ...withSecret, 'x-session-id': sessionToken },
  ]
  const wrong: string[] = []
  for (const { method, url, rule } of routesOf(app.http)) {
    const name = `${method} ${url}`
    if (method === 'HEAD' || allowed.has(name) || rule.access.session === 'none') continue
    for (const headers of ways) {
      const { status, json } = await app.call(method, url, { headers })
      if (rule.access.bridge === 'required' && !('x-bridge-secret' in headers)) continue
      const { 'x-session-id': _token, cookie: _cookie, ...others } = headers
      const anonymous = await app.call(method, url, { headers: others })
      const isIncomplete = status === 401 && json?.code === 'TWO_FACTOR_REQUIRED' && json.passkey_required === true
      // Routes for which a session is optional, or whose token is in the body, ignore the session.
      const isIgnored = status === anonymous.status && json?.code === anonymous.json?.code
      if (!isIncomplete && !isIgnored) wrong.push(`${name}: ${status} ${json?.code}`)
    }
  }
  assert.deepEqual(wrong, [])
  assert.equal((await app.get('/auth/recovery/passkeys', withSession(sessionToken))).status, 200, 'it is still live')
})

test('back ends, gateways and pages treat the session of a recovery as not signed in', async () => {
  const ada = await passwordlessUser(app)
  const sessionToken = await recoverySession(app, ada)
  const validated = await app.post('/auth/bridge/validate', { session_id: sessionToken }, { headers: withSecret })
  assert.deepEqual([validated.status, validated.json.code], [401, 'TWO_FACTOR_REQUIRED'])
  const many = await app.post('/auth/bridge/validate', { session_ids: [sessionToken] }, { headers: withSecret })
  assert.equal(many.json.results[0].success, false)
  const gateway = await app.get('/auth/verify', { headers: { ...withSecret, 'x-session-id': sessionToken } })
  assert.equal(gateway.status, 401)
  const me = await app.get('/auth/user/me', { headers: { ...withSecret, 'x-session-id': sessionToken } })
  assert.deepEqual([me.status, me.json.code], [401, 'TWO_FACTOR_REQUIRED'])
  const page = await app.get('/account', { headers: { cookie: `session_id=${sessionToken}`, accept: 'text/html' } })
  assert.equal(page.status, 303)
  const { rows } = await sql<{ status: string }>`
    SELECT status FROM sessions WHERE user_id = ${ada.id} AND proof = 'recovery'`.execute(app.ctx.db)
  assert.deepEqual(rows, [{ status: 'pending' }])
})

test('a recovery is no reauthentication, and no second factor completes it', async () => {
  const ada = await passwordlessUser(app)
  const sessionToken = await recoverySession(app, ada)
  const session = withSession(sessionToken)
  const attempts: [path: string, body: object][] = [
    ['/auth/reauthenticate', { code: ada.recoveryCodes[1] }],
    ['/auth/passkeys/options', { action: 'reauth' }],
    ['/auth/two_factor/verify', { action: 'login', code: ada.recoveryCodes[1] }],
    ['/auth/two_factor/recovery/start', {}],
    ['/auth/email-change/request', { new_email: 'mallory@example.com' }],
    ['/auth/password-change/self', { new_password: 'seven quiet river stones' }],
    ['/auth/recovery-codes', {}],
    ['/auth/refresh', {}],
  ]
  for (const [path, body] of attempts) {
    const { status, json } = await app.post(path, body, session)
    assert.deepEqual([path, status, json.code], [path, 401, 'TWO_FACTOR_REQUIRED'])
  }
  const renamed = await app.call('PUT', '/auth/profile', { body: { name: 'Mallory' }, ...session })
  assert.equal(renamed.json.code, 'TWO_FACTOR_REQUIRED')
  // Even a session whose second factor was confirmed is completed only by a passkey.
  await sql`UPDATE sessions SET two_factor_verified = true WHERE proof = 'recovery' AND user_id = ${ada.id}`.execute(
    app.ctx.db,
  )
  assert.equal((await app.get('/auth/me', session)).json.code, 'TWO_FACTOR_REQUIRED')
  assert.equal((await completeRecovery(app, sessionToken)).status, 200)
})

/** Adds an authenticator app and, with it, two-factor sign-in. */
async function enrolTotp(at: TestApp, sessionToken: string) {
  const begun = await at.post('/auth/two_factor/totp/setup', {}, withSession(sessionToken))
  const { method_id, secret } = begun.json
  const body = { method_id, action: 'setup', code: totpOf(fromBase32(secret), at.clock.now()) }
  return at.post('/auth/two_factor/verify', body, withSession(sessionToken))
}

test('two-factor sign-in keeps the recovery codes that were shown', async () => {
  const user = await passwordlessUser(app)
  const reply = await enrolTotp(app, user.sessionToken)
  assert.deepEqual([reply.status, reply.json.recovery_codes], [200, undefined])
  const { json } = await app.get('/auth/passkeys', withSession(user.sessionToken))
  assert.equal(json.recovery_codes.remaining, 10)
  const sessionToken = await recoverySession(app, user)
  const authenticator = createAuthenticator(homeOf(app))
  assert.equal((await completeRecovery(app, sessionToken, { authenticator })).status, 200)
  assert.equal((await passkeyLogin(app, authenticator)).json.requires_2fa, false)
})

test('where mailed codes sign nobody in, a user with an authenticator app is not recovered by them', async () => {
  const strict = await startTestApp({
    modules: ['two-factor'],
    env: { ...manyRecoveries, TOKEN_LOGIN_ENABLED: 'false' },
  })
  try {
    const user = await passwordlessUser(strict)
    await enrolTotp(strict, user.sessionToken)
    await strict.post('/auth/recovery/code', { email: user.email })
    const requests = async () =>
      (await auditOf(strict, 'token_sent')).filter(({ details }) => details.by === 'recovery')
    await eventually(async () => (await requests()).length > 0)
    assert.equal((await requests())[0]?.details.reason, 'second_factor')
    assert.equal(recoveryMails(strict, user.email).length, 0)
    const other = await passwordlessUser(strict)
    assert.ok(await recoverySession(strict, other))
  } finally {
    await strict.stop()
  }
})

test('a second factor that is set up after the code was sent ends the recovery', async () => {
  const strict = await startTestApp({
    modules: ['two-factor'],
    env: { ...manyRecoveries, TOKEN_LOGIN_ENABLED: 'false' },
  })
  try {
    const user = await passwordlessUser(strict)
    const proof = await requestRecovery(strict, user)
    await enrolTotp(strict, user.sessionToken)
    const reply = await strict.post('/auth/recovery', { ...proof, recovery_code: user.recoveryCodes[0] })
    assert.deepEqual([reply.status, reply.json.code], [400, 'INVALID_CODE'])
  } finally {
    await strict.stop()
  }
})
