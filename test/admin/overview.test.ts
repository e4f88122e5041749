import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { rollUpActivity } from '../../src/admin/roll-up-activity.ts'
import { day, hour, minute } from '../../src/lib/time.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let support: SignedIn
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '100000/1h' } })
  support = await signedInAs(app, 'support')
})
after(() => app.stop())

type Period = Record<'new_people' | 'sign_ins' | 'failures', number> & { start: string }

const overview = async (range = '24h') => {
  const reply = await app.get('/auth/admin/overview', { ...withSession(support.sessionToken), query: { range } })
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data as {
    people: number
    live_sessions: number | null
    counted_at: string | null
    periods: Period[]
    attention: { code: string; count: number }[]
  }
}
const totals = (periods: Period[]) =>
  periods.reduce(
    (sum, { new_people, sign_ins, failures }) => [sum[0]! + new_people, sum[1]! + sign_ins, sum[2]! + failures],
    [0, 0, 0],
  )
const insert = (event: string, ago: number, count = 1, outcome = 'success') =>
  sql`INSERT INTO audit_events (id, time, event, outcome, node)
    SELECT gen_random_uuid(), ${new Date(app.clock.now() - ago)}::timestamptz, ${event}, ${outcome}, 'node'
    FROM generate_series(1, ${count}::int)`.execute(app.ctx.db)

test('before the first count, no figure is invented', async () => {
  const { counted_at: at, live_sessions: live, people, periods } = await overview()
  assert.deepEqual([at, live, people, periods.length], [null, null, 1, 24])
  assert.deepEqual(totals(periods), [0, 0, 0])
})

test('the counts are those of the audit trail, in hours, days and months', async () => {
  await insert('login_success', 3 * hour, 5)
  await insert('login_fail', 3 * hour, 2, 'failure')
  await insert('register', 10 * day, 4)
  await insert('register', 10 * day, 9, 'failure')
  await insert('login_success', 100 * day, 7)
  await insert('login_success', 500 * day, 7)
  const ada = await registered(app)
  await app.post('/auth/login', { email: ada.email, password: 'not the password' })
  await rollUpActivity(app.ctx)
  const { rows } = await sql<{ signins: number; people: number }>`SELECT
    count(*) FILTER (WHERE event = 'login_success' AND time > now() - interval '1 day')::int AS signins,
    count(*) FILTER (WHERE event = 'register' AND outcome = 'success' AND time > now() - interval '1 day')::int AS people
    FROM audit_events`.execute(app.ctx.db)
  const [expected] = rows
  assert.deepEqual(totals((await overview()).periods), [expected?.people, expected?.signins, 3])
  assert.equal(totals((await overview('30d')).periods)[0], (expected?.people ?? 0) + 4)
  const year = totals((await overview('12m')).periods)
  assert.equal(year[1], (expected?.signins ?? 0) + 7)
})

test('counting again changes nothing, and several nodes count no event twice', async () => {
  const before = await overview('12m')
  app.clock.advance(minute)
  await Promise.all([rollUpActivity(app.ctx), rollUpActivity(app.ctx), rollUpActivity(app.ctx)])
  assert.deepEqual(totals((await overview('12m')).periods), totals(before.periods))
})

test('an event that is committed late is counted by the next run', async () => {
  const before = totals((await overview()).periods)
  await insert('login_success', 30 * minute, 3)
  app.clock.advance(minute)
  await rollUpActivity(app.ctx)
  assert.equal(totals((await overview()).periods)[1], before[1]! + 3)
})

test('counting goes on after a pause of days, across midnight, and keeps the counts of purged events', async () => {
  const before = totals((await overview('12m')).periods)
  await sql`DELETE FROM audit_events WHERE time < ${new Date(app.clock.now() - 2 * day)}`.execute(app.ctx.db)
  app.clock.advance(5 * day)
  await insert('login_success', 2 * day, 11)
  await rollUpActivity(app.ctx)
  support = await signedInAs(app, 'support')
  assert.equal(totals((await overview('12m')).periods)[1], before[1]! + 11)
  for (let step = 0; step < 26; step++) {
    app.clock.advance(hour)
    await rollUpActivity(app.ctx)
  }
  support = await signedInAs(app, 'support')
  assert.ok(totals((await overview('12m')).periods)[1]! >= before[1]! + 11)
})

test('sessions and second factors are measured, and what needs attention is listed', async () => {
  const admin = await signedInAs(app, 'superadmin')
  const gone = await registered(app)
  await app.call('DELETE', `/auth/admin/users/${gone.id}`, withSession(admin.sessionToken))
  app.clock.advance(16 * minute)
  await rollUpActivity(app.ctx)
  const { live_sessions: live, attention } = await overview()
  assert.ok(live !== null && live > 0)
  const codes = attention.map(({ code, count }) => [code, count])
  assert.deepEqual(
    codes.filter(([code]) => code === 'pending_deletions' || code === 'one_superadmin'),
    [
      ['pending_deletions', 1],
      ['one_superadmin', 1],
    ],
  )
})

test('a small service is measured every minute, so that the figures agree with each other', async () => {
  const before = (await overview()).live_sessions ?? 0
  await registered(app)
  app.clock.advance(minute)
  await rollUpActivity(app.ctx)
  assert.equal((await overview()).live_sessions, before + 1)
})

test('a superadmin who cannot sign in does not count as the second one', async () => {
  const isAlone = async () => (await overview()).attention.some(({ code }) => code === 'one_superadmin')
  const root = await signedInAs(app, 'superadmin')
  const second = await signedInAs(app, 'superadmin')
  assert.equal(await isAlone(), false)
  const change = (changes: object) => app.ctx.db.updateTable('users').set(changes).where('id', '=', second.id).execute()
  const others = app.ctx.db.updateTable('users').set({ user_type: 'customer' }).where('user_type', '=', 'superadmin')
  await others.where('id', 'not in', [root.id, second.id]).execute()
  await change({ password_hash: null })
  assert.equal(await isAlone(), true, 'invited')
  await change({ is_verified: true })
  assert.equal(await isAlone(), false)
  await app.ctx.db
    .insertInto('user_blocks')
    .values({ user_id: second.id, since: app.ctx.clock.date(), until: null, reason: 'Spam' })
    .execute()
  assert.equal(await isAlone(), true, 'blocked')
})

test('a range that does not exist is refused', async () => {
  const query = { range: 'forever' }
  const { status, json } = await app.get('/auth/admin/overview', { ...withSession(support.sessionToken), query })
  assert.deepEqual([status, json.details[0].field], [400, 'range'])
})
