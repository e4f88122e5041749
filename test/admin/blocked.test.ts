import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day, hour } from '../../src/lib/time.ts'
import { asked, redeem, type Sent, verify } from '../passwordless/support.ts'
import { type OidcServer, startOidcServer } from '../social/oidc-server.ts'
import { jsonSignIn, signedInBy, toldFrontEnd } from '../social/support.ts'
import { eventually } from '../support/eventually.ts'
import { passkeyLogin, passkeyOwner } from '../support/passkeys.ts'
import { type Person, registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

let server: OidcServer
let app: TestApp
let admin: SignedIn
before(async () => {
  server = await startOidcServer()
  app = await startTestApp({
    modules: ['two-factor'],
    env: {
      RATE_LIMIT_ADMIN: '100000/1h',
      SESSION_IDLE_TTL: '90d',
      SESSION_ABSOLUTE_TTL: '365d',
      ...server.env,
    },
  })
  admin = await signedInAs(app, 'admin')
})
after(async () => {
  await app?.stop()
  await server?.stop()
})

const change = (what: string, id: string, body: unknown = {}, who = admin) =>
  app.post(`/auth/admin/users/${id}/${what}`, body, withSession(who.sessionToken))
const block = (id: string, body: unknown = { reason: 'Spam' }, who = admin) => change('block', id, body, who)
const unblock = (id: string, who = admin) => change('unblock', id, {}, who)
const login = ({ email, password }: Person) => app.post('/auth/login', { email, password })
const shown = async (id: string) =>
  (await app.get(`/auth/admin/users/${id}`, withSession(admin.sessionToken))).json.data.user.blocked

test('a block ends every session and remembered browser, and shows to administrators only', async () => {
  const ada = await registered(app)
  await app.get('/auth/me', withSession(ada.sessionToken))
  assert.equal(await shown(ada.id), null)
  const since = new Date(app.clock.now()).toISOString()
  const reply = await block(ada.id, { reason: '  Charged back twice  ' })
  assert.equal(reply.status, 200, reply.text)
  assert.deepEqual(reply.json.data.user.blocked, { reason: 'Charged back twice', since, until: null })
  assert.deepEqual(await shown(ada.id), reply.json.data.user.blocked)
  const { json: found } = await app.get('/auth/users', { ...withSession(admin.sessionToken), query: { q: ada.email } })
  assert.deepEqual(found.data.users[0].blocked, reply.json.data.user.blocked)

  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).json.code, 'INVALID_SESSION')
  const bridged = await app.post(
    '/auth/bridge/validate',
    { session_id: ada.sessionToken },
    { headers: { 'x-bridge-secret': bridgeSecret } },
  )
  assert.equal(bridged.status, 401)
  const [event] = (await auditOf(app, 'user_blocked')).filter(({ target_id }) => target_id === ada.id)
  assert.deepEqual([event?.actor_id, event?.details.reason], [admin.id, 'Charged back twice'])
  const ended = (await auditOf(app, 'session_ended')).filter(({ target_id }) => target_id === ada.id)
  assert.deepEqual(
    ended.map(({ details }) => details.reason),
    ['blocked'],
  )
})

test('only the correct proof reveals the block, and the rejection is audited once', async () => {
  const ada = await registered(app)
  await block(ada.id)
  const before = await rowCounts(app)
  const wrong = await login({ ...ada, password: `${ada.password}x` })
  assert.equal(wrong.json.code, 'INVALID_CREDENTIALS')
  const { status, json, cookies } = await login(ada)
  assert.deepEqual([status, json.code, json.error], [403, 'ACCOUNT_BLOCKED', 'This account is blocked'])
  assert.ok(!JSON.stringify(json).includes('Spam'))
  assert.deepEqual(cookies, {})
  assert.deepEqual(await rowCounts(app), before)
  const failures = (await auditOf(app, 'login_fail')).filter(({ target_id }) => target_id === ada.id)
  assert.deepEqual(
    failures.map(({ outcome, details }) => [outcome, details.reason]),
    [
      ['failure', 'credentials'],
      ['failure', 'blocked'],
    ],
  )
  assert.equal(failures[1]?.details.proof, 'password')
})

test('every other way to sign in is refused, and nothing is used up', async () => {
  const ada = await passkeyOwner(app)
  await verify(app, ada.id)
  const sub = `blocked-${ada.id}`
  server.people.set(sub, { sub, email: ada.email, email_verified: true })
  assert.equal((await jsonSignIn(app, server, sub)).status, 200)
  await block(ada.id)
  const { token, id, code } = await asked(app, ada.email)
  const reset = await resetToken(ada.email)

  const refused = { status: 403, code: 'ACCOUNT_BLOCKED' }
  const assertRefused = ({ status, json }: { status: number; json: { code: string } }, what: string) =>
    assert.deepEqual({ status, code: json.code }, refused, what)
  assertRefused(await passkeyLogin(app, ada.authenticator), 'passkey')
  assertRefused(await redeem(app, { token }), 'link')
  assertRefused(await redeem(app, { token_id: id, code }), 'code')
  assertRefused(await jsonSignIn(app, server, sub), 'provider')
  assert.deepEqual(toldFrontEnd(await signedInBy(app, server, sub)), {
    social_login: 'error',
    error: 'account_blocked',
    provider: 'oidc',
  })
  assertRefused(await app.post('/auth/password-reset/reset', { token: reset, newPassword }), 'reset')
  const live = await app.ctx.db.selectFrom('sessions').select('id').where('user_id', '=', ada.id)
  const active = await live.where('status', 'in', ['active', 'pending']).execute()
  assert.deepEqual(active, [])
  const proofs = (await auditOf(app, 'login_fail'))
    .filter(({ target_id, details }) => target_id === ada.id && details.reason === 'blocked')
    .map(({ details }) => details.proof)
  assert.deepEqual(proofs, ['passkey', 'login_token', 'login_token', 'social', 'social', 'reset'])
  const used = await app.ctx.db.selectFrom('one_time_secrets').select('id').where('user_id', '=', ada.id)
  assert.ok((await used.where('used_at', 'is', null).execute()).length >= 2)

  assert.equal((await unblock(ada.id)).json.data.user.blocked, null)
  assert.equal((await redeem(app, { token: (await asked(app, ada.email)).token })).status, 200)
  assert.equal((await passkeyLogin(app, ada.authenticator)).status, 200)
})

test('links and codes end with the block and with its end', async () => {
  const ada = await registered(app)
  await verify(app, ada.id)
  const assertInvalid = ({ status, json }: { status: number; json: { code: string } }, what: string) =>
    assert.deepEqual([status, json.code], [400, what.startsWith('code') ? 'INVALID_CODE' : 'INVALID_TOKEN'], what)
  const assertAllInvalid = async ({ login, reset }: { login: Sent; reset: string }, when: string) => {
    assertInvalid(await redeem(app, { token: login.token }), `link ${when}`)
    assertInvalid(await redeem(app, { token_id: login.id, code: login.code }), `code ${when}`)
    assertInvalid(await app.post('/auth/password-reset/reset', { token: reset, newPassword }), `reset ${when}`)
  }
  const before = { login: await asked(app, ada.email), reset: await resetToken(ada.email) }
  await block(ada.id)
  await assertAllInvalid(before, 'during the block')
  const during = { login: await asked(app, ada.email), reset: await resetToken(ada.email) }
  await unblock(ada.id)
  await assertAllInvalid(before, 'after the block')
  await assertAllInvalid(during, 'that was requested during the block')
  assert.equal((await login(ada)).status, 200)
})

const newPassword = 'a much better passphrase'

/** Requests a reset link, and returns the token of the newest one. */
async function resetToken(email: string): Promise<string> {
  const links = () =>
    (app.inbox?.list({ to: email }) ?? []).flatMap(
      ({ text }) => /reset-password\?\S*token=([\w-]{43})/.exec(text)?.[1] ?? [],
    )
  const before = links().length
  await app.post('/auth/password-reset/request', { email })
  await eventually(() => links().length > before)
  return links()[before]!
}

test('a change of the email address ends with the block', async () => {
  const ada = await registered(app)
  const next = `new.${ada.email}`
  const asked = await app.post(
    '/auth/email-change/request',
    { new_email: next, current_password: ada.password },
    withSession(ada.sessionToken),
  )
  assert.equal(asked.status, 200, asked.text)
  const links = [await changeLink(ada.email), await changeLink(next)]
  await block(ada.id)
  const assertInvalid = async () => {
    for (const token of links) {
      const { status, json } = await app.post('/auth/email-change/verify', { token })
      assert.deepEqual([status, json.code], [400, 'INVALID_TOKEN'])
    }
  }
  await assertInvalid()
  await unblock(ada.id)
  await assertInvalid()
  assert.equal((await login(ada)).status, 200)
})

const changeLink = async (email: string) => {
  for (let count = 0; ; count++) {
    const found = /email-change\S*token=([\w-]{43})/.exec((await app.mailTo(email, count)).text)?.[1]
    if (found) return found
  }
}

test('a second factor that was pending cannot be completed', async () => {
  const grace = await passkeyOwner(app, 'grace')
  await app.ctx.db.updateTable('users').set({ two_factor: true }).where('id', '=', grace.id).execute()
  const pending = await login(grace)
  assert.equal(pending.json.requires_2fa, true)
  await block(grace.id)
  const done = await app.post(
    '/auth/two_factor/verify',
    { method: 'recovery', code: grace.recoveryCodes[0] },
    withSession(pending.json.sessionId),
  )
  assert.deepEqual([done.status, done.json.code], [401, 'INVALID_SESSION'])
})

test('a block ends at its time, and a new one replaces it', async () => {
  const ada = await registered(app)
  const until = new Date(app.clock.now() + hour).toISOString()
  assert.equal((await block(ada.id, { reason: 'Calm down', until })).json.data.user.blocked.until, until)
  assert.equal((await login(ada)).json.code, 'ACCOUNT_BLOCKED')
  const longer = new Date(app.clock.now() + day).toISOString()
  assert.equal((await block(ada.id, { reason: 'Again', until: longer })).json.data.user.blocked.until, longer)
  app.clock.advance(2 * hour)
  assert.equal((await login(ada)).json.code, 'ACCOUNT_BLOCKED')
  app.clock.advance(day)
  assert.equal((await login(ada)).status, 200)
  assert.equal(await shown(ada.id), null)
  await unblock(ada.id)
  assert.deepEqual(
    (await auditOf(app, 'user_unblocked')).filter(({ target_id }) => target_id === ada.id),
    [],
  )
})

test('who may block whom follows the rules of roles', async () => {
  const superadmin = await signedInAs(app, 'superadmin', 'alan')
  const other = await signedInAs(app, 'superadmin', 'ada')
  const writer = await signedInAs(app, 'writer', 'grace')
  const cases: [what: string, target: SignedIn, by: SignedIn, code: string][] = [
    ['an admin blocks a superadmin', superadmin, admin, 'FORBIDDEN'],
    ['an admin blocks themselves', admin, admin, 'FORBIDDEN'],
    ['a superadmin blocks themselves', superadmin, superadmin, 'FORBIDDEN'],
    ['a writer blocks an admin', admin, writer, 'FORBIDDEN'],
  ]
  for (const [what, target, by, code] of cases) {
    const { status, json } = await block(target.id, { reason: 'No' }, by)
    assert.deepEqual([status, json.code], [403, code], what)
    assert.equal((await app.get('/auth/me', withSession(target.sessionToken))).status, 200, what)
  }
  assert.ok((await auditOf(app, 'authz_denied')).some(({ details }) => details.deed === 'block'))

  assert.equal((await block(other.id, { reason: 'Left' }, superadmin)).status, 200)
  assert.equal((await unblock(other.id)).json.code, 'FORBIDDEN')
  // A blocked superadmin does not count as a remaining superadmin.
  const demoted = await app.call('PUT', `/auth/admin/users/${superadmin.id}`, {
    ...withSession(superadmin.sessionToken),
    body: { user_type: 'admin' },
  })
  assert.equal(demoted.json.code, 'LAST_SUPERADMIN')
  assert.equal((await unblock(other.id, superadmin)).status, 200)
})

test('a block that is not valid is refused by member, and deleted users are unknown', async () => {
  const ada = await registered(app)
  const past = new Date(app.clock.now()).toISOString()
  const cases: [body: unknown, field: string][] = [
    [{}, 'reason'],
    [{ reason: '' }, 'reason'],
    [{ reason: '   ' }, 'reason'],
    [{ reason: 'a'.repeat(501) }, 'reason'],
    [{ reason: 'two\nlines' }, 'reason'],
    [{ reason: 5 }, 'reason'],
    [{ reason: 'Spam', until: past }, 'until'],
    [{ reason: 'Spam', until: 'tomorrow' }, 'until'],
    [{ reason: 'Spam', until: '9999-12-31T00:00:00Z' }, 'until'],
    [{ reason: 'Spam', until: '2026-12-31T23:59:60Z' }, 'until'],
    [{ reason: 'Spam', until: '2026-12-01T00:00:00' }, 'until'],
  ]
  for (const [body, field] of cases) {
    const { status, json } = await block(ada.id, body)
    assert.deepEqual(
      [status, json.code, json.details?.[0]?.field],
      [400, 'VALIDATION_ERROR', field],
      JSON.stringify(body),
    )
  }
  assert.equal((await login(ada)).status, 200)
  await app.call('DELETE', `/auth/admin/users/${ada.id}`, withSession(admin.sessionToken))
  for (const what of ['block', 'unblock'])
    assert.equal((await change(what, ada.id, { reason: 'Spam' })).json.code, 'NOT_FOUND')
})
