import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { cleanUp } from '../../src/jobs/clean-up.ts'
import { day, second } from '../../src/lib/time.ts'
import { person, registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let admin: SignedIn
before(async () => {
  app = await startTestApp({
    env: { RATE_LIMIT_ADMIN: '100000/1h', SESSION_IDLE_TTL: '90d', SESSION_ABSOLUTE_TTL: '365d' },
  })
  admin = await signedInAs(app, 'admin')
})
after(() => app.stop())

const remove = (id: string, who = admin, path = '/auth/admin/users') =>
  app.call('DELETE', `${path}/${id}`, withSession(who.sessionToken))
const restore = (id: string, who = admin) =>
  app.post(`/auth/admin/users/${id}/restore`, {}, withSession(who.sessionToken))

test('a deleted user is unknown everywhere at once', async () => {
  const ada = await registered(app)
  const token = /token=([\w-]{43})/.exec((await app.mailTo(ada.email)).text)?.[1]
  await app.get('/auth/me', withSession(ada.sessionToken))
  assert.deepEqual((await remove(ada.id)).json, { success: true, message: 'User deleted' })

  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).json.code, 'INVALID_SESSION')
  const bridged = await app.post(
    '/auth/bridge/validate',
    { session_id: ada.sessionToken },
    { headers: { 'x-bridge-secret': bridgeSecret } },
  )
  assert.equal(bridged.status, 401)
  const login = await app.post('/auth/login', { email: ada.email, password: ada.password })
  const unknown = await app.post('/auth/login', { email: person().email, password: ada.password })
  assert.deepEqual({ ...login.json, request_id: '' }, { ...unknown.json, request_id: '' })
  assert.equal((await app.post('/auth/token/verify', { token })).json.code, 'INVALID_TOKEN')
  for (const path of ['/auth/users', '/auth/admin/users'])
    assert.equal((await app.get(`${path}/${ada.id}`, withSession(admin.sessionToken))).status, 404)
  assert.equal(
    (await app.call('PUT', `/auth/users/${ada.id}`, { ...withSession(admin.sessionToken), body: { name: 'x' } }))
      .status,
    404,
  )
  assert.equal(
    (await app.call('DELETE', `/auth/admin/users/${ada.id}/sessions`, withSession(admin.sessionToken))).status,
    404,
  )
  // While the user can still be restored, nobody else can take the address.
  assert.equal((await app.post('/auth/register', { ...person(), email: ada.email })).json.code, 'EMAIL_TAKEN')
  assert.match((await app.mailTo(ada.email, 1)).subject, /deleted/)

  const events = (await auditOf(app, 'user_deleted')).filter(({ target_id }) => target_id === ada.id)
  assert.equal(events.length, 1)
  for (const path of ['/auth/users', '/auth/admin/users']) assert.equal((await remove(ada.id, admin, path)).status, 200)
  assert.equal((await auditOf(app, 'user_deleted')).filter(({ target_id }) => target_id === ada.id).length, 1)
})

test('a restored user signs in as before; no former session or link works', async () => {
  const ada = await registered(app)
  const token = /token=([\w-]{43})/.exec((await app.mailTo(ada.email)).text)?.[1]
  await remove(ada.id)
  app.clock.advance(second)
  const { status, json } = await restore(ada.id)
  assert.equal(status, 200)
  assert.equal(json.data.user.email, ada.email)
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 401)
  assert.equal((await app.post('/auth/token/verify', { token })).json.code, 'INVALID_TOKEN')
  assert.equal((await app.post('/auth/login', { email: ada.email, password: ada.password })).status, 200)
  const events = async () =>
    (await auditOf(app, 'user_restored')).filter(({ target_id }) => target_id === ada.id).length
  assert.equal(await events(), 1)
  assert.equal((await restore(ada.id)).status, 200)
  assert.equal(await events(), 1)
})

test('after the retention period, a user cannot be restored, and only ids in the audit trail and the events remain', async () => {
  const ada = await registered(app, 'ada', { name: 'Forgettable', phone: '+447700900111' })
  const grace = await registered(app, 'grace')
  await remove(ada.id)
  app.clock.advance(30 * day - second)
  await cleanUp(app.ctx)
  assert.equal((await restore(ada.id)).status, 200)
  await remove(ada.id)
  const picture = { name: `${'p'.repeat(32)}.webp`, user_id: ada.id, created_at: new Date(app.clock.now()) }
  await app.ctx.db.insertInto('pictures').values(picture).execute()
  app.clock.advance(30 * day)
  assert.equal((await restore(ada.id)).status, 404)
  await cleanUp(app.ctx)
  assert.deepEqual(await app.ctx.db.selectFrom('pictures').select('name').execute(), [])

  const tables = await sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`.execute(app.ctx.db)
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ text: string }>`SELECT row_to_json(t)::text AS text FROM ${sql.table(name)} t`.execute(
      app.ctx.db,
    )
    const traces = rows.filter(({ text }) =>
      [ada.email, ada.user_name, 'Forgettable', '447700900111'].some((word) => text.includes(word)),
    )
    assert.deepEqual(traces, [], name)
    if (name !== 'audit_events' && name !== 'events')
      assert.deepEqual(
        rows.filter(({ text }) => text.includes(ada.id)),
        [],
        name,
      )
  }
  assert.equal((await auditOf(app, 'user_deleted')).filter(({ target_id }) => target_id === ada.id).length, 2)
  assert.equal(
    (await app.post('/auth/register', { ...person(), email: ada.email, user_name: ada.user_name })).status,
    200,
  )
  assert.equal((await app.post('/auth/login', { email: grace.email, password: grace.password })).status, 200)
})

test('roles determine who may delete and restore whom', async () => {
  const [superadmin, other] = [await signedInAs(app, 'superadmin'), await signedInAs(app, 'superadmin')]
  const customer = await registered(app)
  assert.equal((await remove(other.id)).json.code, 'FORBIDDEN')
  assert.equal((await remove(admin.id)).json.code, 'FORBIDDEN', 'oneself, without proof')
  assert.equal((await remove(admin.id, customer)).json.code, 'FORBIDDEN')
  assert.equal((await remove(other.id, superadmin)).status, 200)
  assert.equal((await restore(other.id)).json.code, 'FORBIDDEN')
  assert.equal((await restore(other.id, superadmin)).status, 200)
  assert.equal((await restore(other.id, customer)).json.code, 'FORBIDDEN')
})

test('the last superadmin can be neither deleted nor demoted', async () => {
  await app.ctx.db.updateTable('users').set({ user_type: 'customer' }).where('user_type', '=', 'superadmin').execute()
  const [last, deleted] = [await signedInAs(app, 'superadmin'), await signedInAs(app, 'superadmin')]
  assert.equal((await remove(deleted.id, last)).status, 200)
  const demote = await app.call('PUT', `/auth/users/${last.id}`, {
    ...withSession(last.sessionToken),
    body: { user_type: 'admin' },
  })
  for (const reply of [await remove(last.id, last), demote]) {
    assert.equal(reply.status, 403)
    assert.equal(reply.json.code, 'LAST_SUPERADMIN')
    assert.equal(reply.json.error, 'At least one superadmin who can sign in must remain')
  }
  assert.equal((await app.get('/auth/me', withSession(last.sessionToken))).json.user.user_type, 'superadmin')
})
