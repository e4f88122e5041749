import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour } from '../../src/lib/time.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let admin: SignedIn
let superadmin: SignedIn
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_BULK: '100000/1h', RATE_LIMIT_ADMIN: '100000/1h' } })
  admin = await signedInAs(app, 'admin')
  superadmin = await signedInAs(app, 'superadmin')
})
after(() => app.stop())

const bulk = (body: object, who = admin) => app.post('/auth/admin/users/bulk', body, withSession(who.sessionToken))
const unknown = '00000000-0000-7000-8000-000000000000'
const three = async () => [await registered(app), await registered(app), await registered(app)] as const
const shown = async (id: string) =>
  (await app.get(`/auth/admin/users/${id}`, withSession(admin.sessionToken))).json.data?.user
const isSignedIn = async (who: SignedIn) => (await app.get('/auth/me', withSession(who.sessionToken))).status === 200
const done = (...people: SignedIn[]) => people.map(({ id }) => ({ id, ok: true }))
async function results(body: object, who = admin) {
  const { status, json, text } = await bulk(body, who)
  assert.equal(status, 200, text)
  return json.data.results
}

test('each action does what the route for one user does', async () => {
  const people = await three()
  const ids = people.map(({ id }) => id)
  assert.deepEqual(await results({ action: 'end_sessions', ids }), done(...people))
  for (const one of people) assert.equal(await isSignedIn(one), false)

  const until = new Date(app.clock.now() + hour).toISOString()
  assert.deepEqual(await results({ action: 'block', ids, reason: ' Spam ', until }), done(...people))
  for (const id of ids)
    assert.deepEqual([(await shown(id)).blocked.reason, (await shown(id)).blocked.until], ['Spam', until])
  assert.deepEqual(await results({ action: 'unblock', ids }), done(...people))
  for (const id of ids) assert.equal((await shown(id)).blocked, null)

  assert.deepEqual(await results({ action: 'set_role', ids, user_type: 'writer' }), done(...people))
  for (const id of ids) assert.equal((await shown(id)).user_type, 'writer')

  assert.deepEqual(await results({ action: 'delete', ids }), done(...people))
  for (const id of ids) assert.equal(await shown(id), undefined)
  assert.deepEqual(await results({ action: 'restore', ids }), done(...people))
  for (const id of ids) assert.equal((await shown(id)).user_type, 'writer')

  for (const event of ['user_blocked', 'user_unblocked', 'role_changed', 'user_deleted', 'user_restored']) {
    const events = await auditOf(app, event)
    assert.deepEqual(events.map(({ target_id: id }) => id).toSorted(), ids.toSorted(), event)
    assert.ok(events.every(({ actor_id: id }) => id === admin.id))
  }
})

test('a refused user stops no other, and the results have the given order', async () => {
  const [ada, gone, eva] = await three()
  await app.call('DELETE', `/auth/admin/users/${gone.id}`, withSession(admin.sessionToken))
  const ids = [ada.id, unknown, superadmin.id, 'no-id', admin.id, gone.id, eva.id]
  const refused = (id: string, code: string, message: string) => ({ id, ok: false, code, message })
  assert.deepEqual(await results({ action: 'block', ids, reason: 'Spam' }), [
    { id: ada.id, ok: true },
    refused(unknown, 'NOT_FOUND', 'Not found'),
    refused(superadmin.id, 'FORBIDDEN', 'Insufficient permissions'),
    refused('no-id', 'NOT_FOUND', 'Not found'),
    refused(admin.id, 'FORBIDDEN', 'Insufficient permissions'),
    refused(gone.id, 'NOT_FOUND', 'Not found'),
    { id: eva.id, ok: true },
  ])
  const denied = (await auditOf(app, 'authz_denied')).map(({ target_id: id }) => id)
  assert.deepEqual(denied.toSorted(), [superadmin.id, admin.id].toSorted())
  assert.ok(await isSignedIn(superadmin))
})

test('an admin appoints no superadmin, and the last superadmin stays', async () => {
  const ada = await registered(app)
  const [refused] = await results({ action: 'set_role', ids: [ada.id], user_type: 'superadmin' })
  assert.equal(refused.code, 'FORBIDDEN')
  const [last] = await results({ action: 'delete', ids: [superadmin.id] }, superadmin)
  assert.equal(last.code, 'LAST_SUPERADMIN')
  assert.deepEqual(await results({ action: 'set_role', ids: [ada.id], user_type: 'superadmin' }, superadmin), done(ada))
  assert.deepEqual(await results({ action: 'set_role', ids: [ada.id], user_type: 'customer' }, superadmin), done(ada))
})

test("the actor's own sessions end last, so that the other users are reached", async () => {
  const boss = await signedInAs(app, 'admin')
  const people = await three()
  const ids = [boss.id, ...people.map(({ id }) => id)]
  assert.deepEqual(await results({ action: 'end_sessions', ids }, boss), done(boss, ...people))
  for (const one of [boss, ...people]) assert.equal(await isSignedIn(one), false)
})

test('an invalid request changes nobody and is refused by name', async () => {
  const ada = await registered(app)
  const ids = [ada.id]
  const many = Array.from({ length: 1001 }, (_, index) => `${unknown.slice(0, -4)}${String(index).padStart(4, '0')}`)
  const wrong: [field: string, body: object][] = [
    ['action', { ids }],
    ['action', { action: 'promote', ids }],
    ['ids', { action: 'delete' }],
    ['ids', { action: 'delete', ids: [] }],
    ['ids', { action: 'delete', ids: ada.id }],
    ['ids', { action: 'delete', ids: [ada.id, ada.id] }],
    ['ids', { action: 'delete', ids: [ada.id, ...many] }],
    ['ids.0', { action: 'delete', ids: [1] }],
    ['ids.1', { action: 'delete', ids: [ada.id, ''] }],
    ['reason', { action: 'block', ids }],
    ['reason', { action: 'block', ids, reason: ' ' }],
    ['until', { action: 'block', ids, reason: 'Spam', until: '2020-01-01T00:00:00Z' }],
    ['until', { action: 'block', ids, reason: 'Spam', until: 'tomorrow' }],
    ['user_type', { action: 'set_role', ids }],
    ['user_type', { action: 'set_role', ids, user_type: 'root' }],
  ]
  for (const [field, body] of wrong) {
    const { status, json } = await bulk(body)
    assert.equal(status, 400, JSON.stringify(body).slice(0, 100))
    assert.deepEqual(
      json.details.map((one: { field: string }) => one.field),
      [field],
    )
  }
  const tooMany = await bulk({ action: 'delete', ids: [ada.id, ...Array.from({ length: 9_999 }, () => unknown)] })
  assert.deepEqual([tooMany.status, tooMany.json.code], [413, 'PAYLOAD_TOO_LARGE'])
  assert.ok(await isSignedIn(ada))
  assert.equal((await shown(ada.id)).blocked, null)
})

test('a request without recent authentication changes nobody', async () => {
  const ada = await registered(app)
  const boss = await signedInAs(app, 'admin')
  app.clock.advance(app.ctx.config.REAUTH_WINDOW + 1)
  const reply = await bulk({ action: 'delete', ids: [ada.id] }, boss)
  assert.deepEqual([reply.status, reply.json.code], [403, 'REAUTH_REQUIRED'])
  assert.ok(await isSignedIn(ada))
  const denied = (await auditOf(app, 'authz_denied')).filter(({ actor_id }) => actor_id === boss.id)
  assert.deepEqual(
    denied.map(({ details }) => details),
    [{ route: 'POST /auth/admin/users/bulk', code: 'REAUTH_REQUIRED' }],
  )
  admin = await signedInAs(app, 'admin')
})

test('a second request of the same administrator is rejected while the first is running', async (t) => {
  const people = await three()
  const ids = people.map(({ id }) => id)
  const { staff, db } = app.ctx
  const [running, finishing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const refresh = staff.refresh.bind(staff)
  // Each change reads the roles again in its transaction.
  const mock = t.mock.method(staff, 'refresh', async (from: typeof db) => {
    if (from === db) return refresh(from)
    running.resolve()
    await finishing.promise
    return refresh(from)
  })
  const first = bulk({ action: 'delete', ids })
  await running.promise
  const second = await bulk({ action: 'delete', ids })
  mock.mock.restore()
  finishing.resolve()
  assert.deepEqual([second.status, (await first).status], [503, 200])
  assert.ok(Number(second.headers['retry-after']) > 0)
  assert.equal((await bulk({ action: 'restore', ids })).status, 200)
})

test('an administrator is limited by account, from whatever address', async () => {
  const limited = await startTestApp({ env: { RATE_LIMIT_BULK: '2/1h' } })
  try {
    const boss = await signedInAs(limited, 'admin')
    const statuses: number[] = []
    for (let count = 0; count < 3; count++) {
      const body = { action: 'unblock', ids: [unknown] }
      statuses.push((await limited.post('/auth/admin/users/bulk', body, withSession(boss.sessionToken))).status)
    }
    assert.deepEqual(statuses, [200, 200, 429])
  } finally {
    await limited.stop()
  }
})
