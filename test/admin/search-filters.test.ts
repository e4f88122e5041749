import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { day, hour } from '../../src/lib/time.ts'
import { install } from '../support/modules.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let admin: SignedIn
let start: number
const people: Record<string, SignedIn> = {}
before(async () => {
  app = await startTestApp({
    env: { RATE_LIMIT_ADMIN: '100000/1h', ADMIN_SESSION_IDLE_TTL: '30d', ADMIN_SESSION_ABSOLUTE_TTL: '30d' },
  })
  start = app.clock.now()
  admin = await signedInAs(app, 'admin')
  for (const [name, more] of Object.entries({
    ann: { phone: '+447700900123' },
    bea: { phone: '+447700900456' },
    cas: {},
  })) {
    app.clock.advance(day)
    people[name] = await registered(app, 'ada', { name, ...more })
  }
})
after(() => app.stop())

const get = (query: Record<string, string>, path = '/auth/users') =>
  app.get(path, { ...withSession(admin.sessionToken), query })
/** The names of the users that the search returns, oldest first. */
async function found(query: Record<string, string>): Promise<string[]> {
  const { status, json, text } = await get({ sort: 'created_at', ...query })
  assert.equal(status, 200, text)
  assert.equal(json.data.pagination.total, json.data.users.length)
  return json.data.users.map(({ name }: { name: string }) => name)
}
const change = (name: string, action: string, body: object = {}) =>
  app.post(`/auth/admin/users/${people[name]?.id}/${action}`, body, withSession(admin.sessionToken))
const at = (time: number) => new Date(time).toISOString()

test('a user is found by id, on every path', async () => {
  const id = people.bea?.id ?? ''
  for (const path of ['/auth/users', '/auth/users/search', '/auth/admin/users'])
    assert.equal((await get({ id }, path)).json.data.users[0].name, 'bea')
  assert.deepEqual(await found({ id, q: 'nobody' }), [])
  assert.deepEqual(await found({ id: '00000000-0000-7000-8000-000000000000' }), [])
})

test('the beginning or the end of the phone number finds a user, with separators as people write them', async () => {
  for (const phone of ['+447700900123', '447700900123', '900 123', '0-9.00(123)', '3', '+44 7700/9001'])
    assert.deepEqual(await found({ phone }), ['ann'], phone)
  for (const phone of ['447', '+44', ''])
    assert.deepEqual((await found({ phone, q: 'ada' })).slice(0, 2), ['ann', 'bea'])
  for (const phone of ['999999', '7700', '+900123']) assert.deepEqual(await found({ phone }), [], phone)
  assert.deepEqual(await found({ phone: '447700', name: 'bea' }), ['bea'])
  // The other text filters do not search phone numbers.
  assert.deepEqual(await found({ q: '900123' }), [])
})

test('the verification of the email address divides all users', async () => {
  await sql`UPDATE users SET is_verified = true WHERE id = ${people.ann?.id}`.execute(app.ctx.db)
  assert.deepEqual(await found({ verified: 'true' }), ['ann'])
  assert.deepEqual(await found({ verified: 'false', q: 'ada' }), ['bea', 'cas'])
})

test('a block counts until it ends', async () => {
  await change('ann', 'block', { reason: 'Spam' })
  await change('bea', 'block', { reason: 'Spam', until: at(app.clock.now() + hour) })
  assert.deepEqual(await found({ blocked: 'true' }), ['ann', 'bea'])
  assert.deepEqual(await found({ blocked: 'false', q: 'ada' }), ['cas'])
  app.clock.advance(2 * hour)
  assert.deepEqual(await found({ blocked: 'true' }), ['ann'])
  assert.deepEqual(await found({ blocked: 'false', q: 'ada' }), ['bea', 'cas'])
  await change('ann', 'unblock')
  assert.deepEqual(await found({ blocked: 'true' }), [])
})

test('deleted users are found only when asked for, with the time of their deletion', async () => {
  const path = `/auth/admin/users/${people.cas?.id}`
  await app.call('DELETE', path, withSession(admin.sessionToken))
  assert.deepEqual(await found({ deleted: 'true' }), ['cas'])
  const queries: Record<string, string>[] = [
    { q: 'CAS' },
    { name: 'cas' },
    { user_name: 'ada', verified: 'false' },
    { id: people.cas?.id ?? '' },
  ]
  for (const query of queries) assert.deepEqual(await found({ deleted: 'true', ...query }), ['cas'])
  assert.deepEqual(await found({ deleted: 'true', name: 'ann' }), [])
  assert.deepEqual(await found({ deleted: 'false', q: 'ada' }), ['ann', 'bea'])
  assert.equal((await get({ deleted: 'true' })).json.data.users[0].deleted_at, at(app.clock.now()))
  assert.equal('deleted_at' in (await get({ name: 'ann' })).json.data.users[0], false)
  await change('cas', 'restore')
  assert.deepEqual(await found({ deleted: 'true' }), [])
})

test('a linked account finds its user by provider', async () => {
  await sql`INSERT INTO social_accounts (id, user_id, provider, issuer, subject, linked_at, last_used_at)
    VALUES (gen_random_uuid(), ${people.bea?.id}, 'github', 'github', '1', now(), now())`.execute(app.ctx.db)
  assert.deepEqual(await found({ provider: 'github' }), ['bea'])
  assert.deepEqual(await found({ provider: 'google' }), [])
})

test('times of creation include the first and exclude the last', async () => {
  const [ann, bea] = [at(start + day), at(start + 2 * day)]
  assert.deepEqual(await found({ created_from: ann, created_to: bea }), ['ann'])
  assert.deepEqual(await found({ createdFrom: bea }), ['bea', 'cas'])
  assert.deepEqual(await found({ created_to: bea, q: 'ada' }), ['ann'])
  assert.deepEqual(
    await found({ created_from: at(start + 3 * day).slice(0, 10), created_to: '2200-01-01', q: 'ada' }),
    ['cas'],
  )
})

test('the last use of a session finds who was there, and who was not', async () => {
  await sql`UPDATE sessions SET last_used_at = ${new Date(start + 10 * day)} WHERE user_id = ${people.ann?.id}`.execute(
    app.ctx.db,
  )
  // A session whose second factor was not verified does not count as use.
  await sql`UPDATE sessions SET status = 'pending', last_used_at = ${new Date(start + 10 * day)}
    WHERE user_id = ${people.bea?.id}`.execute(app.ctx.db)
  const ninth = at(start + 9 * day)
  assert.deepEqual(await found({ last_seen_from: ninth }), ['ann'])
  assert.deepEqual(await found({ last_seen_to: ninth, q: 'ada' }), ['bea', 'cas'])
  assert.deepEqual(await found({ last_seen_from: ninth, last_seen_to: at(start + 10 * day) }), [])
  assert.deepEqual(await found({ last_seen_from: ninth, last_seen_to: at(start + 11 * day) }), ['ann'])
})

test('second factors are found once their module is there', async () => {
  assert.equal((await get({ second_factor: 'true' })).json.code, 'module_not_installed')
  // An export requires recent authentication.
  const { sessionToken } = await signedInAs(app, 'admin')
  const exported = await app.get('/auth/users/export?second_factor=true', withSession(sessionToken))
  assert.equal(exported.json.code, 'module_not_installed')
  await install(app, 'two-factor')
  assert.deepEqual(await found({ second_factor: 'true' }), [])
  const add = (who: SignedIn | undefined, status: string) =>
    sql`INSERT INTO two_factor (id, user_id, method, status) VALUES (gen_random_uuid(), ${who?.id}, 'totp', ${status})`.execute(
      app.ctx.db,
    )
  await add(people.ann, 'active')
  await add(people.bea, 'pending_setup')
  assert.deepEqual(await found({ second_factor: 'true' }), ['ann'])
  assert.deepEqual(await found({ secondFactor: 'false', q: 'ada' }), ['bea', 'cas'])
})

test('a user must match all filters', async () => {
  assert.deepEqual(await found({ verified: 'true', phone: '123', created_to: at(start + 2 * day), blocked: 'false' }), [
    'ann',
  ])
  assert.deepEqual(await found({ verified: 'true', phone: '456' }), [])
})

test('counting stops at count_limit, and all pages are still there', async () => {
  await sql`INSERT INTO users (id, email, user_name, name, created_at, updated_at, phone)
    SELECT gen_random_uuid(), 'crowd' || i || '@example.org', 'crowd' || i, 'Crowd', now(), now(), '+3460000' || (1000 + i)
    FROM generate_series(1, 250) AS i`.execute(app.ctx.db)
  for (const query of [{ q: 'crowd' }, { phone: '+346' }, { name: 'Crowd', verified: 'false' }] as Record<
    string,
    string
  >[]) {
    assert.equal((await get(query)).json.data.pagination.total, 250)
    const { data } = (await get({ ...query, count_limit: '20', page: '25' })).json
    assert.equal(data.pagination.total, 20)
    assert.equal(data.pagination.total_is_exact, false)
    assert.equal(data.users.length, 10)
    const { pagination } = (await get({ ...query, count_limit: '1000' })).json.data
    assert.deepEqual([pagination.total, pagination.total_is_exact], [250, undefined])
  }
  assert.equal((await get({ count_limit: '3' })).json.data.pagination.total, 3)
})

test('an invalid value is refused by name', async () => {
  const wrong: Record<string, string[]> = {
    id: ['1', '', 'x'.repeat(101), '00000000-0000-7000-8000-00000000000G', `${people.ann?.id}\n`],
    phone: ['x', '+', '12+', '12+3', '%', '()', '1'.repeat(41), '123\n;'],
    verified: ['yes', '1', ''],
    blocked: ['TRUE', '0'],
    deleted: ['all'],
    second_factor: ['totp'],
    provider: ['myspace', '', 'GitHub'],
    created_from: ['yesterday', '2026-13-01', '', '1', "2026-01-01'"],
    created_to: ['2026-01-01T25:00:00Z'],
    last_seen_from: ['now()'],
    last_seen_to: ['2026-02-30'],
    count_limit: ['0', '-1', '1000001', 'all'],
  }
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const { status, json } = await get({ [name]: value })
      assert.equal(status, 400, `${name}=${value}`)
      assert.deepEqual(
        json.details?.map(({ field }: { field: string }) => field),
        [name],
        `${name}=${value}`,
      )
    }
  }
  for (const name of ['created', 'last_seen']) {
    const { json } = await get({ [`${name}_from`]: '2026-02-01', [`${name}_to`]: '2026-01-01' })
    assert.deepEqual(json.details, [{ field: `${name}_to`, message: `must be later than ${name}_from` }])
  }
})
