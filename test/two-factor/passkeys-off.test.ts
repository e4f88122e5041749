import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loginChallenge, type PasskeyOwner, passkeyLogin, passkeyOwner } from '../support/passkeys.ts'
import { type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let root: SignedIn
let ada: PasskeyOwner
before(async () => {
  app = await startTestApp({ modules: ['two-factor'] })
  root = await signedInAs(app, 'superadmin')
  ada = await passkeyOwner(app)
})
after(() => app?.stop())

async function offer(value: 'true' | 'false'): Promise<void> {
  app.clock.advance(6000)
  const body = { changes: [{ name: 'PASSKEYS_ENABLED', value }] }
  const { status, text } = await app.call('PUT', '/auth/admin/settings', { body, ...withSession(root.sessionToken) })
  assert.equal(status, 200, text)
}

test('passkeys that are switched off sign nobody in, and nobody can add one', async () => {
  const { challenge_id, options } = await loginChallenge(app)
  await offer('false')
  const options503 = await app.post('/auth/passkey/login/options')
  const login = await app.post('/auth/passkey/login', { challenge_id, response: ada.authenticator.get(options) })
  const setup = await app.post('/auth/two_factor/passkey/setup', {}, withSession(ada.sessionToken))
  for (const reply of [options503, login, setup])
    assert.deepEqual([reply.status, reply.json.code], [503, 'NOT_CONFIGURED'])
  const system = await app.get('/auth/two_factor/system')
  assert.ok(!system.json.available_methods.includes('passkey'))
  assert.doesNotMatch((await app.get('/login')).text, /passkey/i)

  await offer('true')
  assert.equal((await passkeyLogin(app, ada.authenticator)).status, 200)
  assert.match((await app.get('/login')).text, /passkey/i)
})

test('a passkey that is a second factor remains one, so that its owner is not locked out', async () => {
  await offer('false')
  const pending = await app.post('/auth/login', ada)
  assert.equal(pending.json.requires_2fa, true)
  const session = withSession(pending.json.sessionId)
  const start = await app.post('/auth/two_factor/passkey/start', {}, session)
  const response = ada.authenticator.get(start.json.options)
  const verified = await app.post('/auth/two_factor/verify', { method: 'passkey', response }, session)
  assert.deepEqual([verified.status, verified.json.verified], [200, true], verified.text)
  await offer('true')
})
