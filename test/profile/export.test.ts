import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { minute, second } from '../../src/lib/time.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '1000/1h' } })
})
after(() => app.stop())

const exported = ({ sessionToken }: SignedIn, from?: string) =>
  app.get('/auth/user/me/export', { ...withSession(sessionToken), ...(from && { from }) })

test('a user reads everything that the service knows about them', async () => {
  const ada = await registered(app, 'ada', { name: 'Ada', phone: '+447700900123' })
  app.clock.advance(second)
  await app.post('/auth/login', { email: ada.email, password: ada.password }, { from: '203.0.113.7' })
  const { status, json } = await exported(ada)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(json), ['success', 'data'])
  const { user, sessions, audit } = json.data
  assert.deepEqual(Object.keys(json.data).toSorted(), [
    'audit',
    'generated_at',
    'passkeys',
    'roles',
    'sessions',
    'social_accounts',
    'user',
  ])
  assert.deepEqual([user.email, user.name, user.phone], [ada.email, 'Ada', '+447700900123'])
  assert.equal(sessions.length, 2)
  assert.deepEqual(
    [sessions[0].ipAddress, sessions[0].status, 'sessionPrefix' in sessions[0]],
    ['203.0.113.7', 'active', false],
  )
  const signIn = audit.find(({ event }: { event: string }) => event === 'login_success')
  assert.deepEqual([signIn.by, signIn.ip], ['user', '203.0.113.7'])
  assert.equal((await auditOf(app, 'export_requested')).at(-1)?.target_id, ada.id)
})

test('an export tells nothing of where an administrator works, and nothing of other people', async () => {
  const [ada, grace] = [await registered(app), await registered(app)]
  const admin = await signedInAs(app, 'admin')
  const from = '203.0.113.99'
  await app.call('DELETE', `/auth/admin/users/${grace.id}/sessions`, { ...withSession(admin.sessionToken), from })
  await app.call('PUT', `/auth/admin/users/${ada.id}`, {
    ...withSession(admin.sessionToken),
    body: { title: 'Dr.' },
    from,
  })
  const { text, json } = await exported(ada)
  const updated = json.data.audit.find(({ event }: { event: string }) => event === 'admin_user_updated')
  assert.deepEqual([updated.by, updated.ip, updated.user_agent], ['administrator', null, null])
  for (const foreign of [from, admin.id, grace.id, grace.email]) assert.ok(!text.includes(foreign), foreign)
  const own = await exported(admin)
  for (const foreign of [ada.id, grace.id, grace.email]) assert.ok(!own.text.includes(foreign), foreign)
})

test('an export holds no secret and no hash, nor any beginning of one', async () => {
  const ada = await registered(app)
  await app.post('/auth/token/login', { email: ada.email })
  await app.mailTo(ada.email, 1)
  const { text } = await exported(ada)
  const { rows } = await sql<{ value: string }>`
    SELECT password_hash AS value FROM users WHERE id = ${ada.id}
    UNION ALL SELECT encode(token_hash, 'hex') FROM sessions WHERE user_id = ${ada.id}
    UNION ALL SELECT left(encode(token_hash, 'hex'), 8) FROM sessions WHERE user_id = ${ada.id}
    UNION ALL SELECT encode(secret_hash, 'hex') FROM one_time_secrets WHERE user_id = ${ada.id}
    UNION ALL SELECT encode(code_hash, 'hex') FROM one_time_secrets WHERE user_id = ${ada.id} AND code_hash IS NOT NULL`.execute(
    app.ctx.db,
  )
  assert.ok(rows.length >= 5)
  for (const { value } of [...rows, { value: ada.sessionToken }, { value: ada.password }])
    assert.ok(!text.includes(value))
})

test('an old sign-in exports nothing until it is proved again, and a dead session nothing at all', async () => {
  const ada = await registered(app)
  app.clock.advance(11 * minute)
  const before = (await auditOf(app, 'export_requested')).length
  assert.deepEqual((await exported(ada)).json.code, 'REAUTH_REQUIRED')
  assert.equal((await auditOf(app, 'export_requested')).length, before)
  await app.post('/auth/reauthenticate', { password: ada.password }, withSession(ada.sessionToken))
  assert.equal((await exported(ada)).status, 200)
  await sql`UPDATE sessions SET status = 'revoked', ended_at = now() WHERE user_id = ${ada.id}`.execute(app.ctx.db)
  assert.equal((await exported(ada)).status, 401)
})

test('five exports an hour, by address and by account', async () => {
  const [ada, grace] = [await registered(app), await registered(app)]
  for (let left = 4; left >= 0; left--) {
    const { status, headers } = await exported(ada)
    assert.deepEqual([status, Number(headers['x-ratelimit-remaining'])], [200, left])
  }
  const refused = await exported(ada)
  assert.deepEqual([refused.status, refused.json.code], [429, 'RATE_LIMITED'])
  assert.ok(Number(refused.headers['retry-after']) > 3000)
  const from = '203.0.113.200'
  for (let count = 0; count < 5; count++) await exported(ada, from)
  assert.equal((await exported(grace, from)).status, 429)
  assert.equal((await exported(grace)).status, 200)
})
