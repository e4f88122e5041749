import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type Authenticator, createAuthenticator } from '../support/authenticator.ts'
import { eventually } from '../support/eventually.ts'
import { homeOf, passkeyLogin } from '../support/passkeys.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { eventsDuring } from '../support/service-events.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let admin: SignedIn
before(async () => {
  app = await startTestApp({
    env: { RATE_LIMIT_REGISTRATION: '1000/1h', RATE_LIMIT_PASSKEY_OPTIONS: '1000/1m', RESET_AUTO_LOGIN: 'false' },
  })
  admin = await signedInAs(app, 'admin')
})
after(() => app?.stop())

const fresh = 'moths around the relay'

interface Upgraded extends SignedIn {
  authenticator: Authenticator
  passkey: string
}

/** A user whose browser created a passkey after a sign-in with the password, without asking. */
async function upgraded(): Promise<Upgraded> {
  const ada = await registered(app)
  // A reset removes all passkeys of an unverified account.
  await sql`UPDATE users SET is_verified = true WHERE id = ${ada.id}`.execute(app.ctx.db)
  const { json } = await app.post('/auth/login', { email: ada.email, password: ada.password })
  const session = withSession(json.sessionId)
  const authenticator = createAuthenticator(homeOf(app))
  const { options } = (await app.post('/auth/passkeys/upgrade/options', {}, session)).json
  const response = authenticator.create(options, { userPresent: false, userVerified: false })
  const added = await app.post('/auth/passkeys', { response }, session)
  assert.equal(added.status, 200, added.text)
  return { ...ada, sessionToken: json.sessionId, authenticator, passkey: added.json.id }
}

const subjectsOf = ({ email }: SignedIn): string[] =>
  (app.inbox?.list({ to: email }) ?? []).map(({ subject }) => subject ?? '')

const changeOwn = ({ sessionToken, password }: Upgraded) =>
  app.post('/auth/password-change/self', { current_password: password, new_password: fresh }, withSession(sessionToken))

async function reset({ email }: Upgraded) {
  await app.post('/auth/password-reset/request', { email })
  const find = () =>
    app.inbox?.list({ to: email }).find(({ text }) => /token=[\w-]{43}/.test(text) && /reset/.test(text))
  await eventually(() => find() !== undefined)
  const token = /token=([\w-]{43})/.exec(find()?.text ?? '')?.[1]
  return app.post('/auth/password-reset/complete', { token, password: fresh })
}

const changeByAdmin = ({ id }: Upgraded) =>
  app.post('/auth/password-change/admin', { user_id: id, new_password: fresh }, withSession(admin.sessionToken))

const endAll = ({ id }: Upgraded) =>
  app.call('DELETE', `/auth/admin/users/${id}/sessions`, withSession(admin.sessionToken))

const ways: [what: string, change: (owner: Upgraded) => ReturnType<typeof app.post>, mail: RegExp][] = [
  ['a change of the password', changeOwn, /^A passkey was removed/],
  ['a reset of the password', reset, /^A passkey was removed/],
  ['a new password from an administrator', changeByAdmin, /^An administrator changed/],
  ['the end of all sessions by an administrator', endAll, /^An administrator changed/],
]

for (const [what, change, mail] of ways) {
  test(`${what} removes a passkey that the browser created and nobody has used`, async () => {
    const ada = await upgraded()
    const events = await eventsDuring(app, async () => {
      const changed = await change(ada)
      assert.equal(changed.status, 200, changed.text)
    })
    assert.equal((await passkeyLogin(app, ada.authenticator)).status, 401)
    const removed = events.filter(({ type }) => type === 'passkey.removed')
    assert.deepEqual(removed, [{ type: 'passkey.removed', data: { user_id: ada.id, passkey_id: ada.passkey } }])
    const event = (await auditOf(app, 'passkey_removed')).find(({ target_id }) => target_id === ada.id)
    assert.equal(event?.details.passkey, ada.passkey)
    assert.equal(event?.details.reason, 'unused_upgrade')
    await eventually(() => subjectsOf(ada).some((subject) => mail.test(subject)))
  })

  test(`${what} keeps a passkey whose authenticator has verified the user`, async () => {
    const ada = await upgraded()
    assert.equal((await passkeyLogin(app, ada.authenticator)).status, 200)
    assert.equal((await change(ada)).status, 200)
    assert.equal((await passkeyLogin(app, ada.authenticator)).status, 200)
    assert.equal((await auditOf(app, 'passkey_removed')).filter(({ target_id }) => target_id === ada.id).length, 0)
  })
}

test('recovery codes end with the only passkey, if nobody has used it', async () => {
  const ada = await upgraded()
  const issued = await app.post('/auth/recovery-codes', {}, withSession(ada.sessionToken))
  assert.equal(issued.status, 200, issued.text)
  assert.equal((await changeOwn(ada)).status, 200)
  const { json } = await app.get('/auth/passkeys', withSession(ada.sessionToken))
  assert.deepEqual([json.passkeys, json.recovery_codes], [[], null])
})

test('an administrator who ends one session removes no passkey', async () => {
  const ada = await upgraded()
  const { json } = await app.get('/auth/sessions', withSession(ada.sessionToken))
  const path = `/auth/admin/users/${ada.id}/sessions/${json.data.sessions[0].id}`
  assert.equal((await app.call('DELETE', path, withSession(admin.sessionToken))).status, 200)
  assert.equal((await passkeyLogin(app, ada.authenticator)).status, 200)
})
