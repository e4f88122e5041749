import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { minute } from '../../src/lib/time.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { homeOf, type PasskeyOwner, passkeyOwner } from '../support/passkeys.ts'
import { withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({
    modules: ['two-factor'],
    env: { TWO_FACTOR_REMEMBER: '30d', RATE_LIMIT_REGISTRATION: '1000/1h' },
  })
})
after(() => app?.stop())

const nobody = { userPresent: false, userVerified: false }
const ask = (sessionToken: string) => app.post('/auth/passkeys/upgrade/options', {}, withSession(sessionToken))
const offer = (sessionToken: string) => app.post('/auth/passkeys/upgrade/offer', {}, withSession(sessionToken))

const partialSession = async ({ email, password }: PasskeyOwner): Promise<string> =>
  (await app.post('/auth/login', { email, password })).json.sessionId

async function confirm(owner: PasskeyOwner, sessionToken: string, more = {}) {
  const start = await app.post('/auth/two_factor/passkey/start', {}, withSession(sessionToken))
  const body = { method: 'passkey', response: owner.authenticator.get(start.json.options), ...more }
  return app.post('/auth/two_factor/verify', body, withSession(sessionToken))
}

test('a partial session upgrades nothing, and is offered nothing', async () => {
  const ada = await passkeyOwner(app)
  const token = await partialSession(ada)
  assert.deepEqual([(await ask(token)).json.code, (await offer(token)).json.code], Array(2).fill('TWO_FACTOR_REQUIRED'))
})

test('a confirmed session creates a passkey, which is no factor before its authenticator has verified the user', async () => {
  const ada = await passkeyOwner(app)
  const token = await partialSession(ada)
  app.clock.advance(minute)
  await confirm(ada, token)
  const { json } = await ask(token)
  assert.equal(json.expires_in, 240, 'the time is counted from the password')
  const browser = createAuthenticator(homeOf(app))
  const response = browser.create(json.options, nobody)
  assert.equal((await app.post('/auth/passkeys', { response }, withSession(token))).status, 200)

  const next = await partialSession(ada)
  const start = () => app.post('/auth/two_factor/passkey/start', {}, withSession(next))
  const verify = (answer: object) =>
    app.post('/auth/two_factor/verify', { method: 'passkey', response: answer }, withSession(next))
  const unverified = browser.get((await start()).json.options, { userVerified: false })
  assert.equal((await verify(unverified)).status, 400)
  const verified = browser.get((await start()).json.options)
  assert.equal((await verify(verified)).status, 200)

  const last = await partialSession(ada)
  const begun = await app.post('/auth/two_factor/passkey/start', {}, withSession(last))
  const touched = browser.get(begun.json.options, { userVerified: false })
  const reply = await app.post('/auth/two_factor/verify', { method: 'passkey', response: touched }, withSession(last))
  assert.equal(reply.status, 200, 'from then on, it is a factor like the others')
})

test('a session in a browser that skips the second step upgrades nothing', async () => {
  const ada = await passkeyOwner(app)
  const { cookies } = await confirm(ada, await partialSession(ada), { remember_device: true })
  const again = await app.post('/auth/login', ada, { headers: { cookie: `cb=${cookies.cb?.value}` } })
  assert.equal(again.json.requires_2fa, false)
  assert.equal((await ask(again.json.sessionId)).status, 403)
  assert.equal((await auditOf(app, 'passkey_rejected')).at(-1)?.details.reason, 'unconfirmed')
  await sql`DELETE FROM passkeys WHERE user_id = ${ada.id}`.execute(app.ctx.db)
  assert.equal((await ask(again.json.sessionId)).status, 403, 'even if no factor is left')
  assert.equal((await offer(again.json.sessionId)).json.offer, false)
})

test('an account that needs a second factor since the sign-in adds nothing without it', async () => {
  const ada = await passkeyOwner(app)
  await sql`UPDATE users SET two_factor = false WHERE id = ${ada.id}`.execute(app.ctx.db)
  const token = await partialSession(ada)
  const { json } = await ask(token)
  const response = createAuthenticator(homeOf(app)).create(json.options, nobody)
  await sql`UPDATE users SET two_factor = true WHERE id = ${ada.id}`.execute(app.ctx.db)
  const reply = await app.post('/auth/passkeys', { response }, withSession(token))
  assert.equal(reply.json.code, 'REAUTH_REQUIRED')
})

test('a challenge for a creation without the user is for no other ceremony', async () => {
  const ada = await passkeyOwner(app)
  const token = await partialSession(ada)
  await confirm(ada, token)
  const session = withSession(token)
  const { options } = (await ask(token)).json
  const browser = createAuthenticator(homeOf(app))
  const setup = await app.post('/auth/two_factor/passkey/setup', {}, session)
  assert.equal(setup.status, 200, setup.text)
  const enrolment = { action: 'setup', method_id: setup.json.method_id, response: browser.create(options) }
  assert.equal((await app.post('/auth/two_factor/verify', enrolment, session)).status, 400)
  const proof = ada.authenticator.get({ ...setup.json.options, rpId: 'localhost', challenge: options.challenge })
  assert.equal((await app.post('/auth/reauthenticate', { response: proof }, session)).status, 400)
  const inSetup = browser.create(setup.json.options, nobody)
  assert.equal((await app.post('/auth/passkeys', { response: inSetup }, session)).status, 400)
  assert.equal((await app.post('/auth/passkeys', { response: browser.create(options, nobody) }, session)).status, 200)
})
