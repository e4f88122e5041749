import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOidcServer } from '../social/oidc-server.ts'
import { toldFrontEnd, visitCallback, visitOf } from '../social/support.ts'
import { type Person, registered, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { secretsIn } from './support.ts'

// Only the owner of the password gets through these flows, so they keep it. Sign-ins that prove the address without the
// password remove it: see redeem.test.ts and ../social/first-proof.test.ts.

const login = (app: TestApp, { email, password }: Person) => app.post('/auth/login', { email, password })

for (const by of ['link', 'code'] as const)
  test(`a password sign-in that is completed by the ${by} of the verification email keeps the password`, async (t) => {
    const app = await startTestApp({ env: { VERIFY_REGISTRATION: 'true' } })
    t.after(() => app.stop())
    const ada = await registered(app)
    assert.equal((await login(app, ada)).json.code, 'EMAIL_NOT_VERIFIED')
    const { token, code } = secretsIn(await app.mailTo(ada.email))
    const proof = by === 'link' ? { token } : { email: ada.email, code }
    assert.equal((await app.post('/auth/token/verify', proof)).status, 200)
    const { json } = await login(app, ada)
    assert.deepEqual([json.success, json.user.is_verified], [true, true])
    assert.deepEqual(await auditOf(app, 'credentials_removed'), [])
  })

test('linking an identity with the current password keeps the password, whatever address the provider reports', async (t) => {
  const server = await startOidcServer()
  t.after(() => server.stop())
  const app = await startTestApp({ env: server.env })
  t.after(() => app.stop())
  const ada = await registered(app)
  server.people.set('ada', { sub: 'ada', email: ada.email, email_verified: true })
  const body = { current_password: ada.password }
  const start = await app.post('/auth/social/oidc/link', body, withSession(ada.sessionToken))
  const reply = await visitCallback(app, visitOf(await server.signIn(start.json.url, 'ada'), start.json.flow))
  assert.deepEqual(toldFrontEnd(reply), { social_login: 'linked', provider: 'oidc' })
  const { json } = await login(app, ada)
  // Linking does not prove the address, because the session may have been set up in the owner's browser by someone else.
  assert.deepEqual([json.success, json.user.is_verified], [true, false])
  assert.deepEqual(await auditOf(app, 'credentials_removed'), [])
})
