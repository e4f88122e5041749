import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute } from '../../src/lib/time.ts'
import { assertError } from '../http/support.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { handedOver } from '../support/handover.ts'
import { homeOf, passkeyLogin, passkeyOwner } from '../support/passkeys.ts'
import { type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { createTestClock, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  const env = { RATE_LIMIT_TOKEN_LOGIN: '1000/1h', RATE_LIMIT_TOKEN_VALIDATE: '1000/1h' }
  app = await startTestApp({ modules: ['two-factor'], env, clock: createTestClock() })
})
after(() => app?.stop())

/** An application's session in which the user has just proven the password. */
async function provenIn({ sessionToken, password }: SignedIn): Promise<string> {
  const shop = await handedOver(app, sessionToken)
  app.clock.advance(minute)
  assert.equal((await app.post('/auth/reauthenticate', { password }, withSession(shop))).status, 200)
  return shop
}

test('an application sets up no second factor, even just after a proof in its own session', async () => {
  const root = await signedInAs(app, 'superadmin')
  const shop = await provenIn(root)
  for (const method of ['passkey', 'totp', 'email']) {
    const reply = await app.post(
      `/auth/two_factor/${method}/setup`,
      { current_password: root.password },
      withSession(shop),
    )
    assertError(reply, 403, 'FORBIDDEN', method)
    assert.match(reply.json.error, /session of this service itself/)
  }
  // Not even a setup that the browser session began.
  const setup = await app.post(
    '/auth/two_factor/passkey/setup',
    { current_password: root.password },
    withSession(root.sessionToken),
  )
  const key = createAuthenticator(homeOf(app))
  const body = { action: 'setup', method_id: setup.json.method_id, response: key.create(setup.json.options) }
  assertError(await app.post('/auth/two_factor/verify', body, withSession(shop)), 403, 'FORBIDDEN')
  assert.equal((await passkeyLogin(app, key)).status, 401)
  assert.equal((await app.post('/auth/two_factor/verify', body, withSession(root.sessionToken))).status, 200)
  const { details } = (await auditOf(app, 'authz_denied')).at(-1) ?? {}
  assert.deepEqual(details, { action: 'setup', application: 'https://shop.example' })
})

test('an application changes no second factor, but the user may confirm with one in it', async () => {
  const ada = await passkeyOwner(app)
  const shop = withSession(await provenIn(ada))
  for (const action of ['setup', 'remove', 'toggle', 'disable']) {
    assertError(await app.post('/auth/two_factor/passkey/start', { action }, shop), 403, 'FORBIDDEN', action)
    const proof = { method: 'recovery', code: ada.recoveryCodes[0], action }
    assertError(await app.post('/auth/two_factor/verify', proof, shop), 403, 'FORBIDDEN', action)
  }
  const code = { verification_code: ada.recoveryCodes[0] }
  assertError(await app.post('/auth/two_factor/toggle', { enabled: false, ...code }, shop), 403, 'FORBIDDEN')
  assertError(await app.call('DELETE', `/auth/two_factor/${ada.methodId}`, { ...shop, body: code }), 403, 'FORBIDDEN')
  assertError(await app.post('/auth/two_factor/recovery/regenerate', {}, shop), 403, 'FORBIDDEN')
  assert.equal((await app.get('/auth/two_factor/methods', shop)).status, 200)
  for (const action of ['login', 'reauth']) {
    const { options } = (await app.post('/auth/two_factor/passkey/start', { action }, shop)).json
    const proof = { method: 'passkey', action, response: ada.authenticator.get(options) }
    assert.equal((await app.post('/auth/two_factor/verify', proof, shop)).status, 200, action)
  }
})
