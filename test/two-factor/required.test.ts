import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { passkeyLogin, passkeyOwner } from '../support/passkeys.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const env = { TWO_FACTOR_REQUIRED_FOR: 'admin,superadmin' }
let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['two-factor'], env })
})
after(() => app?.stop())

const search = (sessionToken: string, at = app) => at.get('/auth/users', withSession(sessionToken))

/** Signs in with the password, then with the emailed code. */
async function confirmedByMail(somebody: SignedIn, mails: number): Promise<string> {
  const { json } = await app.post('/auth/login', somebody)
  assert.deepEqual([json.requires_2fa, json.verification_sent], [true, true])
  assert.deepEqual(
    json.available_methods.map(({ method }: { method: string }) => method),
    ['email'],
  )
  const code = /\b(\d{6})\b/.exec((await app.mailTo(somebody.email, mails)).text)?.[1]
  const reply = await app.post('/auth/two_factor/verify', { code }, withSession(json.sessionId))
  assert.equal(reply.json.session_activated, true, reply.text)
  return reply.json.sessionId
}

test('an administrator without any method confirms by mail', async () => {
  const admin = await signedInAs(app, 'admin')
  assert.equal((await search(await confirmedByMail(admin, 1))).status, 200)
  // The second sign-in uses the method that the first one created.
  assert.equal((await search(await confirmedByMail(admin, 2))).status, 200)
})

test('a full session that nobody confirmed is no way to what an administrator may do', async () => {
  const admin = await signedInAs(app, 'admin')
  const refused = await search(admin.sessionToken)
  assert.deepEqual([refused.status, refused.json.code], [401, 'TWO_FACTOR_REQUIRED'])
  const change = await app.call('PUT', `/auth/admin/users/${admin.id}`, {
    ...withSession(admin.sessionToken),
    body: { name: 'x' },
  })
  assert.equal(change.status, 401)
  assert.equal((await app.get('/auth/me', withSession(admin.sessionToken))).status, 200)
})

test('whoever confirms afterwards need not sign in again', async () => {
  const enrolled = await passkeyOwner(app, 'grace')
  const off = { enabled: false, verification_code: enrolled.recoveryCodes[0] }
  assert.equal((await app.post('/auth/two_factor/toggle', off, withSession(enrolled.sessionToken))).status, 200)
  const owner = { ...enrolled, sessionToken: (await app.post('/auth/login', enrolled)).json.sessionId as string }
  await sql`UPDATE users SET user_type = 'admin' WHERE id = ${owner.id}`.execute(app.ctx.db)
  assert.equal((await search(owner.sessionToken)).status, 401)
  const added = await app.post('/auth/two_factor/totp/setup', {}, withSession(owner.sessionToken))
  assert.deepEqual([added.status, added.json.code], [403, 'REAUTH_REQUIRED'], 'demanded, though switched off')
  const start = await app.post('/auth/two_factor/passkey/start', { action: 'login' }, withSession(owner.sessionToken))
  const body = { method: 'passkey', action: 'login', response: owner.authenticator.get(start.json.options) }
  const reply = await app.post('/auth/two_factor/verify', body, withSession(owner.sessionToken))
  assert.deepEqual([reply.status, reply.json.sessionId], [200, owner.sessionToken])
  assert.equal((await search(owner.sessionToken)).status, 200)
})

test('a passkey is as good as password and code', async () => {
  const owner = await passkeyOwner(app, 'grace')
  await sql`UPDATE users SET user_type = 'admin', two_factor = false WHERE id = ${owner.id}`.execute(app.ctx.db)
  assert.equal((await app.post('/auth/login', owner)).json.requires_2fa, true)
  const reply = await passkeyLogin(app, owner.authenticator)
  assert.equal((await search(reply.json.sessionId)).status, 200)
})

test('other users need no second factor', async () => {
  const ada = await registered(app)
  assert.equal((await app.post('/auth/login', ada)).json.requires_2fa, false)
})

test('without the module, nobody needs a second factor', async () => {
  const plain = await startTestApp({ env })
  try {
    const admin = await signedInAs(plain, 'admin')
    assert.equal((await search(admin.sessionToken, plain)).status, 200)
    assert.equal((await plain.post('/auth/login', admin)).json.requires_2fa, false)
  } finally {
    await plain.stop()
  }
})
