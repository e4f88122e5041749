import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createAuthenticator } from '../support/authenticator.ts'
import { handedOver, returnTo } from '../support/handover.ts'
import {
  addOwnPasskey,
  addPasskey,
  homeOf,
  type PasskeyOwner,
  passkeyLogin,
  passkeyOwner,
} from '../support/passkeys.ts'
import { registered, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({
    modules: ['two-factor'],
    env: {
      TWO_FACTOR_REMEMBER: '30d',
      RATE_LIMIT_REGISTRATION: '1000/1h',
      ALLOWED_REDIRECTS: new URL(returnTo).origin,
    },
  })
})
after(() => app?.stop())

const loginOf = async ({ email, password }: { email: string; password: string }) =>
  (await app.post('/auth/login', { email, password })).json

test('a passkey that is added in the settings does not switch the second step on', async () => {
  const ada = await registered(app)
  await addOwnPasskey(app, ada.sessionToken, createAuthenticator(homeOf(app)))
  assert.equal((await loginOf(ada)).requires_2fa, false)
})

test('a second factor that follows a passkey switches the second step on, and the passkey is one, too', async () => {
  const ada = await registered(app)
  await addOwnPasskey(app, ada.sessionToken, createAuthenticator(homeOf(app)))
  const { reply } = await addPasskey(app, ada.sessionToken, createAuthenticator(homeOf(app)))
  assert.deepEqual([reply.status, reply.json.recovery_codes.length], [200, 10])
  const { available_methods: methods } = await loginOf(ada)
  assert.deepEqual(
    methods.map(({ method }: { method: string }) => method),
    ['passkey', 'passkey'],
  )
})

/** A session of a browser that skips the second step. */
async function rememberedSession(owner: PasskeyOwner): Promise<string> {
  const { sessionId } = await loginOf(owner)
  const start = await app.post('/auth/two_factor/passkey/start', {}, withSession(sessionId))
  const body = { method: 'passkey', response: owner.authenticator.get(start.json.options), remember_device: true }
  const { cookies } = await app.post('/auth/two_factor/verify', body, withSession(sessionId))
  const again = await app.post('/auth/login', owner, { headers: { cookie: `cb=${cookies.cb?.value}` } })
  assert.equal(again.json.requires_2fa, false)
  return again.json.sessionId
}

test('in a browser that skips the second step, no passkey is added or removed', async () => {
  const ada = await passkeyOwner(app)
  const session = withSession(await rememberedSession(ada))
  const start = await app.post('/auth/passkeys/options', {}, session)
  const removed = await app.call('DELETE', `/auth/passkeys/${ada.methodId}`, { ...session, body: {} })
  assert.deepEqual([start.json.code, removed.json.code], ['REAUTH_REQUIRED', 'REAUTH_REQUIRED'])
})

test('with a second factor, the removal needs a proof of one in the same request', async () => {
  const ada = await passkeyOwner(app)
  const session = withSession(ada.sessionToken)
  const remove = (body: object) => app.call('DELETE', `/auth/passkeys/${ada.methodId}`, { ...session, body })
  const refused = [
    await remove({}),
    await remove({ current_password: ada.password }),
    await remove({ code: 'aaaa-aaaa-aaaaa' }),
  ]
  assert.deepEqual(
    refused.map(({ json }) => json.code),
    ['REAUTH_REQUIRED', 'REAUTH_REQUIRED', 'INVALID_CODE'],
  )
  assert.equal((await remove({ code: ada.recoveryCodes[0] })).status, 200)
  assert.equal((await passkeyLogin(app, ada.authenticator)).status, 401)
  const { requires_2fa: isAsked } = await loginOf(ada)
  assert.equal(isAsked, false, 'nothing is left to ask for')
})

test('a passkey that the browser created alone is no factor before its authenticator has verified the user', async () => {
  const ada = await passkeyOwner(app)
  await sql`UPDATE passkeys SET created_via = 'upgrade', uv_seen = false WHERE user_id = ${ada.id}`.execute(app.ctx.db)
  const { available_methods: methods } = await loginOf(ada)
  assert.deepEqual(
    methods.map(({ method }: { method: string }) => method),
    ['email'],
  )
  assert.equal((await passkeyLogin(app, ada.authenticator)).status, 200)
  const after = await loginOf(ada)
  assert.ok(after.available_methods.some(({ method }: { method: string }) => method === 'passkey'))
})

test('after a sign-in, a passkey that has verified its user proves nothing without doing so again', async () => {
  const ada = await passkeyOwner(app)
  const { sessionId } = (await passkeyLogin(app, ada.authenticator)).json
  const session = withSession(sessionId)
  app.clock.advance(20 * 60_000)
  const start = await app.post('/auth/passkeys/options', { action: 'reauth' }, session)
  const unverified = ada.authenticator.get(start.json.options, { userVerified: false })
  const rejected = await app.post('/auth/reauthenticate', { response: unverified }, session)
  assert.deepEqual([rejected.status, rejected.json.code], [400, 'INVALID_CODE'])
  const removal = await app.post('/auth/two_factor/passkey/start', { action: 'remove' }, session)
  const touched = ada.authenticator.get(removal.json.options, { userVerified: false })
  const body = { method: 'passkey', action: 'remove', response: touched }
  assert.equal((await app.post('/auth/two_factor/verify', body, session)).status, 400)
  const verified = ada.authenticator.get(start.json.options)
  assert.equal((await app.post('/auth/reauthenticate', { response: verified }, session)).status, 200)
})

test('an application’s session does not prove a change of the email address', async () => {
  const ada = await passkeyOwner(app)
  await sql`UPDATE users SET password_hash = NULL WHERE id = ${ada.id}`.execute(app.ctx.db)
  const session = withSession(await handedOver(app, (await passkeyLogin(app, ada.authenticator)).json.sessionId))
  const start = await app.post('/auth/two_factor/passkey/start', { action: 'reauth' }, session)
  const response = ada.authenticator.get(start.json.options)
  assert.equal((await app.post('/auth/reauthenticate', { response }, session)).status, 200)
  const change = await app.post('/auth/email-change/request', { new_email: 'new@example.com' }, session)
  assert.deepEqual([change.status, change.json.code], [403, 'REAUTH_REQUIRED'])
})
