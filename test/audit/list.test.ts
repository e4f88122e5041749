import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day, iso, minute } from '../../src/lib/time.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let superadmin: SignedIn
let admin: SignedIn
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '100000/1h' } })
  superadmin = await signedInAs(app, 'superadmin')
  admin = await signedInAs(app, 'admin')
})
after(() => app.stop())

interface Event {
  id: string
  time: string
  event: string
  actor_id: string | null
  actor_role: string | null
  target_id: string | null
  actor_label: string | null
  target_label: string | null
}

const url = '/auth/admin/audit'
const list = async (query: Record<string, string> = {}, who = superadmin) => {
  const { status, json, text } = await app.get(url, { ...withSession(who.sessionToken), query })
  assert.equal(status, 200, text)
  return json.data as { events: Event[]; pagination: Record<string, number> }
}

test('events come newest first, in pages', async () => {
  const ada = await registered(app)
  app.clock.advance(minute)
  for (let count = 0; count < 11; count++) {
    await app.post('/auth/login', { email: ada.email, password: ada.password })
    app.clock.advance(minute)
  }
  const first = await list({ event: 'login_success', user_id: ada.id })
  assert.deepEqual(first.pagination, { page: 1, limit: 10, total: 12, pages: 2, has_more: true })
  const second = await list({ event: 'login_success', user_id: ada.id, page: '2' })
  const times = [...first.events, ...second.events].map(({ time }) => time)
  assert.equal(times.length, 12)
  assert.deepEqual(times, times.toSorted().toReversed())
  assert.deepEqual((await list({ event: 'login_success', user_id: ada.id, page: '3' })).events, [])
  assert.deepEqual(Object.keys(first.events[0]!).toSorted(), [
    'actor_id',
    'actor_label',
    'actor_role',
    'details',
    'event',
    'id',
    'impersonator_id',
    'impersonator_label',
    'ip',
    'method',
    'outcome',
    'request_id',
    'target_id',
    'target_label',
    'time',
    'user_agent',
  ])
})

test('event, person and time narrow the list', async () => {
  app.clock.advance(day)
  const start = iso(app.clock.now())
  const ada = await registered(app)
  app.clock.advance(minute)
  const middle = iso(app.clock.now())
  await app.post('/auth/login', { email: ada.email, password: 'not the password' })
  assert.ok(
    (await list({ user_id: ada.id })).events.every(({ actor_id, target_id }) => [actor_id, target_id].includes(ada.id)),
  )
  assert.deepEqual(
    (await list({ user_id: ada.id, from: middle })).events.map(({ event }) => event),
    ['login_fail'],
  )
  assert.deepEqual(
    (await list({ user_id: ada.id, from: start, to: middle })).events.map(({ event }) => event).toSorted(),
    ['login_success', 'register', 'verify_sent'],
  )
  assert.equal((await list({ from: iso(app.clock.now() + day) })).pagination.total, 0)
})

test('an admin sees nothing that a superadmin did or that happened to one; a superadmin sees both', async () => {
  await app.post('/auth/login', { email: superadmin.email, password: superadmin.password })
  await app.post('/auth/login', { email: superadmin.email, password: 'not the password' })
  const concerning = { user_id: superadmin.id, limit: '100' }
  assert.deepEqual(
    new Set((await list(concerning)).events.map(({ event }) => event)),
    new Set(['register', 'verify_sent', 'login_success', 'login_fail']),
  )
  assert.deepEqual(await list(concerning, admin), {
    events: [],
    pagination: { page: 1, limit: 100, total: 0, pages: 0, has_more: false },
  })
  const seen = await list({ limit: '100' }, admin)
  assert.ok(seen.events.length > 0)
  for (const { actor_id, actor_role, target_id } of seen.events) {
    assert.notEqual(actor_role, 'superadmin')
    assert.ok(actor_id !== superadmin.id && target_id !== superadmin.id)
  }
})

test('an invalid value is refused by name and never results in 500', async () => {
  const wrong: [name: string, values: string[]][] = [
    ['event', ['nothing', "login_fail' OR 1=1--", 'LOGIN_FAIL', 'x'.repeat(65)]],
    ['user_id', ['1', '../', admin.id.toUpperCase(), `${admin.id}\n`, '%']],
    ['time_from', ['yesterday', '1', '2026-13-01', '2026-11-20T25:00:00Z', '20261120', 'infinity', 'now()']],
    ['to', ['2026-11-20T10:00', '-infinity']],
    ['page', ['0', '-1', '1.5', 'NaN', '1e3', '10;drop', '0x10', 'true', '1000000000000', '9'.repeat(30), '100003']],
    ['limit', ['0', '-1', 'all', '']],
  ]
  for (const [name, values] of wrong) {
    for (const value of values) {
      const { status, json } = await app.get(url, { ...withSession(admin.sessionToken), query: { [name]: value } })
      assert.equal(status, 400, `${name}=${value}`)
      assert.deepEqual(
        json.details.map(({ field }: { field: string }) => field),
        [name],
        `${name}=${value}`,
      )
    }
  }
  assert.equal((await list({ limit: '1000000000' })).pagination.limit, 100)
})

test('users without the role are refused, and the attempt is recorded', async () => {
  const ada = await registered(app)
  const { status, json } = await app.get(url, withSession(ada.sessionToken))
  assert.equal(status, 403)
  assert.equal(json.code, 'FORBIDDEN')
  const [denied] = (await list({ event: 'authz_denied', user_id: ada.id })).events
  assert.equal(denied?.actor_role, 'customer')
})

test('a removed role has no effect from the next call on', async () => {
  const former = await signedInAs(app, 'admin')
  await list({}, former)
  await app.ctx.db.updateTable('users').set({ user_type: 'customer' }).where('id', '=', former.id).execute()
  assert.equal((await app.get(url, withSession(former.sessionToken))).status, 403)
})

test('an event names its actor and its target as they are called now', async () => {
  const [named, nameless] = [
    await registered(app, 'grace', { name: 'Grace', last_name: 'Hopper' }),
    await registered(app),
  ]
  const block = (id: string) =>
    app.post(`/auth/admin/users/${id}/block`, { reason: 'spam' }, withSession(superadmin.sessionToken))
  for (const { id } of [named, nameless]) assert.equal((await block(id)).status, 200)
  const labelsOf = async (id: string) =>
    (await list({ event: 'user_blocked', user_id: id })).events.map(({ target_label }) => target_label)
  assert.deepEqual(await labelsOf(named.id), ['Grace Hopper'])
  assert.deepEqual(await labelsOf(nameless.id), [nameless.email])
  const changed = await app.call('PUT', `/auth/admin/users/${named.id}`, {
    ...withSession(superadmin.sessionToken),
    body: { name: 'Rear Admiral' },
  })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(await labelsOf(named.id), ['Rear Admiral Hopper'])
  await app.ctx.db.deleteFrom('users').where('id', '=', nameless.id).execute()
  assert.deepEqual(await labelsOf(nameless.id), [null])
  const [own] = (await list({ event: 'user_blocked', user_id: named.id })).events
  assert.equal(own?.actor_label, superadmin.email)
})
