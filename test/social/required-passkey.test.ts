import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createAuthenticator } from '../support/authenticator.ts'
import { homeOf, passkeyLogin } from '../support/passkeys.ts'
import { person, withSession } from '../support/people.ts'
import { completeRecovery, manyRecoveries } from '../support/recovery.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { fromBase32, totpOf } from '../two-factor/support.ts'
import { type OidcServer, startOidcServer } from './oidc-server.ts'
import { jsonSignIn, signedInBy, toldFrontEnd } from './support.ts'

let server: OidcServer
let app: TestApp
before(async () => {
  server = await startOidcServer()
  const env = { ...server.env, ...manyRecoveries }
  app = await startTestApp({ modules: ['two-factor'], env: { ...env, PASSKEY_REQUIRED_FOR: 'writer' } })
})
after(async () => {
  await app?.stop()
  await server?.stop()
})

/** A user with an identity, whom `prepare` may change before the type that requires a passkey applies. */
async function writer(subject: string, prepare = async (_sessionToken: string) => {}): Promise<void> {
  server.people.set(subject, { sub: subject, email: person().email, email_verified: true })
  const { json } = await jsonSignIn(app, server, subject)
  await prepare(json.sessionId)
  await sql`UPDATE users SET user_type = 'writer' WHERE id = ${json.user.id}`.execute(app.ctx.db)
}

test('the token of a session that accepts a passkey is not part of an address', async () => {
  await writer('eve')
  const reply = await signedInBy(app, server, 'eve')
  assert.equal(reply.headers.location, 'http://localhost:3000/recover/passkey')
  const token = reply.cookies.session_id?.value ?? ''
  const done = await completeRecovery(app, token, { authenticator: createAuthenticator(homeOf(app)) })
  assert.equal(done.status, 200, done.text)
})

test('a token in the address of a request adds no passkey afterwards', async () => {
  await writer('mallory')
  const token = (await signedInBy(app, server, 'mallory')).cookies.session_id?.value ?? ''
  const seen = await app.get(`/auth/recovery/passkeys?session_id=${token}`)
  const start = await app.post('/auth/recovery/passkeys/options', {}, withSession(token))
  assert.deepEqual([seen.status, start.status, start.json.code], [401, 401, 'INVALID_SESSION'])
})

test('after the second factor, a token that was part of an address adds no passkey', async () => {
  let seed: Buffer = Buffer.alloc(0)
  await writer('bob', async (sessionToken) => {
    const session = withSession(sessionToken)
    const { json } = await app.post('/auth/two_factor/totp/setup', {}, session)
    seed = fromBase32(json.secret)
    const body = { method_id: json.method_id, action: 'setup', code: totpOf(seed, app.clock.now()) }
    assert.equal((await app.post('/auth/two_factor/verify', body, session)).status, 200)
  })
  app.clock.advance(30_000)
  const leaked = toldFrontEnd(await signedInBy(app, server, 'bob')).session_id ?? ''
  const body = { action: 'login', code: totpOf(seed, app.clock.now()) }
  const { status, json } = await app.post('/auth/two_factor/verify', body, withSession(leaked))
  assert.deepEqual([status, json.session_activated], [200, false])
  const start = await app.post('/auth/recovery/passkeys/options', {}, withSession(leaked))
  assert.deepEqual([start.status, start.json.code], [401, 'INVALID_SESSION'])
  const authenticator = createAuthenticator(homeOf(app))
  const done = await completeRecovery(app, json.sessionId, { authenticator })
  assert.equal(done.status, 200, done.text)
  assert.equal((await passkeyLogin(app, authenticator)).status, 200)
})
