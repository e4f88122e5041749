import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { runImport } from '../../src/import/import-users.ts'
import { fileWith, importOf, linesOf, phpHash, phpPassword } from '../import/support.ts'
import { signedInBrowser } from '../screens/account/support.ts'
import { textOf } from '../screens/all-pages.ts'
import { visitor } from '../screens/support.ts'
import { apiDocument } from '../support/api-document.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { addOwnPasskey, homeOf } from '../support/passkeys.ts'
import { person, registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { switchPasswords } from '../support/switch-passwords.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let ada: SignedIn
let superadmin: SignedIn
before(async () => {
  app = await startTestApp({
    env: { RATE_LIMIT_ADMIN: '100000/1h', TOKEN_LOGIN_AUTO_REGISTER: 'true' },
    modules: ['two-factor', 'privacy'],
  })
  ada = await registered(app)
  superadmin = await signedInAs(app, 'superadmin')
})
after(() => app.stop())
beforeEach(() => switchPasswords(app, 'off'))

const disabled = [403, 'PASSWORDS_DISABLED'] as const
const outcome = ({ status, json }: { status: number; json: { code?: string } }) => [status, json?.code]
const signIn = ({ email, password }: { email: string; password: string }) =>
  app.post('/auth/login', { email, password })
const lastEvent = async () => {
  const { rows } = await sql<{ event: string; outcome: string; target_id: string | null; details: object }>`
    SELECT event, outcome, target_id, details FROM audit_events ORDER BY id DESC LIMIT 1`.execute(app.ctx.db)
  return rows[0]
}
const hashOf = async ({ id }: { id: string }) => {
  const { rows } = await sql<{ password_hash: string | null }>`
    SELECT password_hash FROM users WHERE id = ${id}`.execute(app.ctx.db)
  return rows[0]?.password_hash
}

test('a stored password stays in the database, opens nothing, and works again when passwords are switched on', async () => {
  const hash = await hashOf(ada)
  assert.deepEqual(outcome(await signIn(ada)), disabled)
  assert.equal(await hashOf(ada), hash)
  await switchPasswords(app, 'on')
  assert.equal((await signIn(ada)).status, 200)
})

test('a known user, an unknown one and a wrong password get the same response, and the rejection is recorded', async () => {
  const known = await signIn(ada)
  const { event, outcome: result, target_id, details } = (await lastEvent()) ?? {}
  assert.deepEqual([event, result, target_id], ['password_rejected', 'failure', null])
  assert.deepEqual(details, { route: 'POST /auth/login' })
  for (const other of [await signIn(person()), await signIn({ ...ada, password: 'a wrong password' })]) {
    assert.deepEqual(outcome(other), disabled)
    assert.equal(other.json.error, known.json.error)
  }
  const requests = []
  for (const { email } of [ada, person()]) requests.push(await app.post('/auth/password-reset/request', { email }))
  assert.deepEqual(requests.map(outcome), [disabled, disabled])
  assert.equal(requests[0]?.json.error, requests[1]?.json.error)
})

test('a password that another system checks, and one in an imported form, open nothing', async () => {
  await switchPasswords(app, 'on')
  for (const stored of ['imported:hook', 'imported:bcrypt:x']) {
    const user = await registered(app)
    await sql`UPDATE users SET password_hash = ${stored} WHERE id = ${user.id}`.execute(app.ctx.db)
    await switchPasswords(app, 'off')
    assert.deepEqual(outcome(await signIn(user)), disabled)
    await switchPasswords(app, 'on')
  }
})

test('no route of the API accepts a password', async () => {
  const members = passwordMembers((await apiDocument(app)).paths)
  assert.ok(members.length >= 24, `found ${members.length} members`)
  for (const { method, path, body, member } of members) {
    const url = path.replace('{provider}', 'google').replace('{method}', 'totp').replace('{passkey_id}', ada.id)
    const who = /^\/auth\/(admin|users)|\/admin$/.test(path) ? superadmin : ada
    const reply = await app.call(method, url, { body, ...withSession(who.sessionToken) })
    assert.deepEqual(outcome(reply), disabled, `${method} ${url} accepts ${member}: ${reply.text}`)
  }
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 200, 'nothing happened')
})

test('the use cases reject passwords as well, so that no caller besides the API can use one', async () => {
  const { assertGoodPassword } = await import('../../src/passwords/policy.ts')
  const { isRightPassword } = await import('../../src/hooks/password-verify.ts')
  await assert.rejects(assertGoodPassword(app.ctx, 'password', ada.password, ada), { code: 'PASSWORDS_DISABLED' })
  await assert.rejects(isRightPassword(app.ctx, undefined, ada.password), { code: 'PASSWORDS_DISABLED' })
})

test('a reset link from before signs in instead of setting a password', async () => {
  await switchPasswords(app, 'on')
  const user = await registered(app)
  await app.post('/auth/password-reset/request', { email: user.email })
  const token = tokenIn((await app.mailTo(user.email, 1)).text)
  await switchPasswords(app, 'off')
  const set = await app.post('/auth/password-reset/complete', { token, password: 'four slow copper snails' })
  assert.deepEqual(outcome(set), disabled)
  const signedIn = await app.post('/auth/password-reset/complete', { token })
  assert.equal(signedIn.status, 200)
  assert.ok(signedIn.json.sessionId)
  const again = await app.post('/auth/password-reset/complete', { token })
  assert.deepEqual(outcome(again), [400, 'INVALID_TOKEN'])
})

test('with passwords on, a reset link without a password does not sign in', async () => {
  await switchPasswords(app, 'on')
  const user = await registered(app)
  await app.post('/auth/password-reset/request', { email: user.email })
  const token = tokenIn((await app.mailTo(user.email, 1)).text)
  const reply = await app.post('/auth/password-reset/complete', { token })
  assert.deepEqual(outcome(reply), [400, 'VALIDATION_ERROR'])
  assert.deepEqual(reply.json.details, [{ field: 'password', message: 'is required' }])
})

test('an invitation proves the address and signs the user in, once', async () => {
  const { email } = person()
  const body = { email, send_invite: true }
  const created = await app.post('/auth/admin/users', body, withSession(superadmin.sessionToken))
  assert.equal(created.status, 200)
  const token = tokenIn((await app.mailTo(email)).text)
  const accepted = await app.post('/auth/password-reset/complete', { token })
  assert.equal(accepted.status, 200)
  const { json } = await app.get('/auth/me', withSession(accepted.json.sessionId))
  assert.equal(json.user.is_verified, true)
  assert.deepEqual(outcome(await app.post('/auth/password-reset/complete', { token })), [400, 'INVALID_TOKEN'])
})

test('an import keeps hashes, which open nothing, and its invitations sign in', async (t) => {
  const [kept, invited] = [person(), person('grace')]
  const rows = [{ email: kept.email, password_hash: phpHash }, { email: invited.email }]
  const done = await runImport(app.ctx, importOf(await fileWith(t, linesOf(rows)), { invite: true }))
  assert.equal(done.users, 2)
  const imported = { email: kept.email, password: phpPassword }
  assert.deepEqual(outcome(await signIn(imported)), disabled)
  const token = tokenIn((await app.mailTo(invited.email)).text)
  const accepted = await app.post('/auth/password-reset/complete', { token })
  assert.ok(accepted.json.sessionId, accepted.text)
  await switchPasswords(app, 'on')
  assert.equal((await signIn(imported)).status, 200)
})

test('an invitation of a blocked user does not sign in', async () => {
  const { email } = person()
  const as = withSession(superadmin.sessionToken)
  const { json } = await app.post('/auth/admin/users', { email, send_invite: true }, as)
  const token = tokenIn((await app.mailTo(email)).text)
  await app.post(`/auth/admin/users/${json.data.user.id}/block`, { reason: 'a test' }, as)
  assert.deepEqual(outcome(await app.post('/auth/password-reset/complete', { token })), [400, 'INVALID_TOKEN'])
})

test('an administrator creates users without a password, and cannot send a reset link', async () => {
  const as = withSession(superadmin.sessionToken)
  const { email } = person()
  const created = await app.post('/auth/admin/users', { email }, as)
  assert.equal(created.status, 200)
  const path = `/auth/admin/users/${created.json.data.user.id}/send`
  assert.deepEqual(outcome(await app.post(path, { message: 'password_reset' }, as)), disabled)
  assert.equal((await app.post(path, { message: 'sign_in_link' }, as)).status, 200)
})

test('the profile says that the user has no password to confirm with', async () => {
  const hasPassword = async () => (await app.get('/auth/profile', withSession(ada.sessionToken))).json.data.has_password
  assert.equal(await hasPassword(), false)
  await switchPasswords(app, 'on')
  assert.equal(await hasPassword(), true)
})

const tokenIn = (text: string): string => /[?&]token=([\w-]+)/.exec(text)?.[1] ?? ''

interface Body {
  content: Record<string, { schema: { properties?: object; required?: string[] } }>
}
type Paths = Record<string, Record<string, { requestBody?: Body }>>

/** Every member of a request whose name contains "password", except the password that protects a post. */
function passwordMembers(paths: Paths) {
  return Object.entries(paths)
    .filter(([path]) => !path.startsWith('/api/v1/posts'))
    .flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([verb, { requestBody }]) => {
        const { properties = {}, required = [] } = requestBody?.content['application/json']?.schema ?? {}
        const body = Object.fromEntries(required.map((name) => [name, exampleOf(name)]))
        return Object.keys(properties)
          .filter((name) => name.includes('password'))
          .map((member) => ({ method: verb.toUpperCase(), path, member, body: { ...body, [member]: ada.password } }))
      }),
    )
}

const samples: Record<string, unknown> = { email: 'other@example.com', new_email: 'new@example.com', enabled: true }
const exampleOf = (name: string): unknown => (name.includes('password') ? ada.password : (samples[name] ?? 'x'))

test('emails and pages advise what is possible without passwords', async () => {
  await switchPasswords(app, 'on')
  const owner = await registered(app)
  const authenticator = createAuthenticator(homeOf(app))
  assert.equal((await addOwnPasskey(app, owner.sessionToken, authenticator)).status, 200)
  const withPasswords = (await app.mailTo(owner.email, 1)).text
  assert.match(withPasswords, /set a new password immediately[\s\S]*\/reset-password$/m)
  const browser = await signedInBrowser(app, owner)
  assert.match(textOf((await browser.open('/account/sessions')).text), /change your password/)

  await switchPasswords(app, 'off')
  const [{ id }] = (await app.get('/auth/passkeys', withSession(owner.sessionToken))).json.passkeys
  await sql`UPDATE users SET is_verified = true WHERE id = ${owner.id}`.execute(app.ctx.db)
  const removed = await app.call('DELETE', `/auth/passkeys/${id}`, { ...withSession(owner.sessionToken), body: {} })
  assert.equal(removed.status, 200, removed.text)
  const { text } = await app.mailTo(owner.email, 2)
  assert.match(text, /end the sessions that you do not recognize/)
  assert.ok(text.includes(`${app.ctx.config.PUBLIC_URL}/account/sessions`))
  assert.doesNotMatch(text, /password/)
  const sessions = await visitor(app, { cookie: `session_id=${owner.sessionToken}` }).open('/account/sessions')
  assert.doesNotMatch(textOf(sessions.text), /change your password/)
})
