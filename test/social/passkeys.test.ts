import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createAuthenticator } from '../support/authenticator.ts'
import { addOwnPasskey, addPasskey, homeOf, passkeyLogin } from '../support/passkeys.ts'
import { person, registered, withSession } from '../support/people.ts'
import { createTestClock, startTestApp, type TestApp } from '../support/test-app.ts'
import { type OidcServer, startOidcServer } from './oidc-server.ts'
import { jsonSignIn } from './support.ts'

let server: OidcServer
let app: TestApp
before(async () => {
  server = await startOidcServer()
  app = await startTestApp({ modules: ['two-factor'], env: server.env, clock: createTestClock() })
})
after(async () => {
  await app?.stop()
  await server?.stop()
})

test('a passkey is a way in that lets the last identity go', async () => {
  server.people.set('mary', { sub: 'mary', email: person().email, email_verified: false })
  const sessionToken: string = (await jsonSignIn(app, server, 'mary')).json.sessionId
  const somebody = await registered(app)
  await addOwnPasskey(app, somebody.sessionToken, createAuthenticator(homeOf(app)))
  const unlink = () => app.call('DELETE', '/auth/social/accounts/oidc', withSession(sessionToken))
  assert.equal((await unlink()).json.code, 'LAST_SIGN_IN_METHOD')
  const authenticator = createAuthenticator(homeOf(app))
  assert.equal((await addPasskey(app, sessionToken, authenticator)).reply.status, 200)
  const verified = (state: boolean) => sql`UPDATE passkeys SET uv_seen = ${state}`.execute(app.ctx.db)
  await verified(false)
  assert.equal((await unlink()).json.code, 'LAST_SIGN_IN_METHOD')
  await verified(true)
  assert.equal((await unlink()).status, 200)
  assert.equal((await passkeyLogin(app, authenticator)).status, 200)
})
