import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { passkeyLogin, passkeyOwner } from '../support/passkeys.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let admin: SignedIn
let superadmin: SignedIn
before(async () => {
  app = await startTestApp({ modules: ['two-factor'], env: { RATE_LIMIT_ADMIN: '1000/1h' } })
  admin = await signedInAs(app, 'admin')
  superadmin = await signedInAs(app, 'superadmin')
})
after(() => app?.stop())

const reset = (id: string, who = admin, path = '/auth/admin/users') =>
  app.call('DELETE', `${path}/${id}/two_factor`, withSession(who.sessionToken))

test('an administrator removes the second factors of a user who has lost them', async () => {
  for (const path of ['/auth/admin/users', '/auth/users']) {
    const ada = await passkeyOwner(app)
    assert.match((await app.mailTo(ada.email, 1)).text, /^Method: passkey$/m)
    const reply = await reset(ada.id, admin, path)
    assert.deepEqual([reply.status, reply.json.success], [200, true])
    assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).json.code, 'INVALID_SESSION')
    assert.equal((await passkeyLogin(app, ada.authenticator)).status, 401)
    const login = await app.post('/auth/login', ada)
    assert.deepEqual([login.json.requires_2fa, login.json.user.two_factor], [false, false])
    const { json } = await app.get('/auth/two_factor/methods', withSession(login.json.sessionId))
    assert.deepEqual(json.methods, [])
    const event = (await auditOf(app, 'mfa_removed')).at(-1)
    assert.deepEqual([event?.target_id, event?.details.methods], [ada.id, ['passkey']])
    assert.equal((event as unknown as { actor_id: string }).actor_id, admin.id)
    assert.match((await app.mailTo(ada.email, 2)).text, /second factors and recovery codes were removed/)
  }
})

test('a user who has only a passkey gets a link to add a new one, and nothing is removed without it', async () => {
  const ada = await passkeyOwner(app)
  await sql`UPDATE users SET password_hash = NULL WHERE id = ${ada.id}`.execute(app.ctx.db)
  const mailer = app.ctx.mailer as { isConfigured: boolean }
  mailer.isConfigured = false
  const refused = await reset(ada.id)
  mailer.isConfigured = true
  assert.deepEqual([refused.status, refused.json.code], [503, 'NOT_CONFIGURED'])
  assert.equal((await passkeyLogin(app, ada.authenticator)).status, 200)
  assert.equal((await reset(ada.id)).status, 200)
  let text = ''
  for (let count = 1; !text.includes('/passkey-link?token='); count++) ({ text } = await app.mailTo(ada.email, count))
  const { rows } = await sql`SELECT FROM events WHERE type = 'passkey.removed' AND target_id = ${ada.id}`.execute(
    app.ctx.db,
  )
  assert.equal(rows.length, 1)
})

test('for users without second factors, nothing is removed and nobody is notified', async () => {
  const ada = await registered(app)
  const before = await rowCounts(app)
  assert.equal((await reset(ada.id)).status, 200)
  assert.deepEqual(await rowCounts(app), before)
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 200)
})

test('roles say who may do it to whom, and a rejection leaves a trace', async () => {
  const [ada, writer] = [await passkeyOwner(app), await signedInAs(app, 'writer')]
  const denied: [who: SignedIn, whom: string][] = [
    [writer, ada.id],
    [admin, superadmin.id],
    [admin, admin.id],
    [superadmin, superadmin.id],
  ]
  for (const [who, whom] of denied) {
    const reply = await reset(whom, who)
    assert.deepEqual([reply.status, reply.json.code], [403, 'FORBIDDEN'])
  }
  assert.equal((await auditOf(app, 'authz_denied')).length, denied.length)
  const { json } = await app.get('/auth/two_factor/methods', withSession(ada.sessionToken))
  assert.equal(json.methods.length, 2)
  assert.equal((await reset(admin.id, superadmin)).status, 200)
})

test('unknown and deleted users are not found', async () => {
  const ada = await passkeyOwner(app)
  await app.call('DELETE', `/auth/admin/users/${ada.id}`, withSession(admin.sessionToken))
  for (const id of [ada.id, '01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf', 'nobody'])
    assert.equal((await reset(id)).status, 404)
})

test('people who may not see the sessions of a user see only the kinds of the second factors', async () => {
  const [ada, root, support] = [await passkeyOwner(app), await passkeyOwner(app), await signedInAs(app, 'support')]
  await sql`UPDATE users SET user_type = 'superadmin' WHERE id = ${root.id}`.execute(app.ctx.db)
  await sql`INSERT INTO two_factor (id, user_id, method, identifier, status, created_at) VALUES
    (${randomUUID()}, ${root.id}, 'email', 'root@example.com', 'active', now())`.execute(app.ctx.db)
  const factorsOf = async (id: string, who: SignedIn) =>
    (await app.get(`/auth/admin/users/${id}`, withSession(who.sessionToken))).json.data.second_factors
  for (const who of [support, admin]) {
    const kinds = (await factorsOf(root.id, who)) as { method: string; status: string }[]
    assert.ok(kinds.some(({ method }) => method === 'passkey'))
    for (const kind of kinds) assert.deepEqual(Object.keys(kind), ['method', 'status'])
    assert.ok('last_used_at' in (await factorsOf(ada.id, who))[0])
  }
  assert.ok('last_used_at' in (await factorsOf(root.id, superadmin))[0])
  const cookie = `session_id=${support.sessionToken}`
  const page = await app.get(`/admin/people/${root.id}`, { headers: { cookie, accept: 'text/html' } })
  assert.equal(page.status, 200)
  assert.match(page.text, />Passkey</)
  assert.match(page.text, />Code by email</)
  assert.doesNotMatch(page.text, /r\*\*\*@example/)
})
