import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { exportAudit } from '../../src/admin/export-audit.ts'
import { hour, iso } from '../../src/lib/time.ts'
import { findUser } from '../../src/users/queries.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let superadmin: SignedIn
let admin: SignedIn
before(async () => {
  app = await startTestApp({
    env: { RATE_LIMIT_EXPORT: '100000/1h', RATE_LIMIT_ADMIN: '100000/1h', REAUTH_WINDOW: '30m' },
  })
  superadmin = await signedInAs(app, 'superadmin')
  admin = await signedInAs(app, 'admin')
})
after(() => app.stop())

const get = (query: Record<string, string>, who = admin) =>
  app.get('/auth/admin/audit/export', { ...withSession(who.sessionToken), query })

const insert = (target: string, count: number, details = {}) =>
  sql`INSERT INTO audit_events (id, time, event, outcome, target_id, user_agent, node, details)
    SELECT gen_random_uuid(), ${new Date(app.clock.now())}::timestamptz - ((i + 3) / 3) * interval '1 s', 'verify_sent', 'success',
      ${target}::uuid, '=HYPERLINK("https://evil.example")', 'node', ${JSON.stringify(details)}::jsonb
    FROM generate_series(1, ${count}::int) AS i`.execute(app.ctx.db)

test('an export has every matching event once, newest first, in more batches than one, as CSV and as JSON', async () => {
  const ada = await registered(app)
  app.clock.advance(hour / 4)
  await insert(ada.id, 1234)
  const query = { target_id: ada.id, event: 'verify_sent', from: iso(app.clock.now() - hour / 6) }
  const json = await get({ ...query, format: 'json' })
  assert.equal(json.status, 200, json.text)
  assert.equal(json.headers['content-disposition'], 'attachment; filename="audit.json"')
  const events = json.json.data.events as { id: string; time: string; target_label: string }[]
  assert.equal(new Set(events.map(({ id }) => id)).size, 1234)
  assert.deepEqual(
    events.map(({ time }) => time),
    events
      .map(({ time }) => time)
      .toSorted()
      .toReversed(),
  )
  assert.equal(events[0]?.target_label, ada.email)
  const csv = await get(query)
  assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8')
  const lines = csv.text.split('\r\n').slice(1, -1)
  assert.deepEqual(
    lines.map((line) => line.split(',')[0]),
    events.map(({ id }) => id),
  )
  for (const line of lines) assert.doesNotMatch(line, /(^|,)"?[=+\-@\t]/)
  const first = await app.get('/auth/admin/audit', {
    ...withSession(admin.sessionToken),
    query: { ...query, limit: '1' },
  })
  assert.deepEqual(events[0], first.json.data.events[0])
})

test('an admin exports no event that concerns a superadmin; a superadmin does', async () => {
  await app.post('/auth/login', { email: superadmin.email, password: 'not the password' })
  const query = { user_id: superadmin.id, format: 'json' }
  assert.deepEqual((await get(query)).json.data.events, [])
  assert.ok((await get(query, superadmin)).json.data.events.length > 0)
})

test('the export is recorded with its filters before the first event is read', async () => {
  const query = { event: 'login_success', outcome: 'success' }
  const { json } = await get({ ...query, format: 'json' })
  const recorded = (await auditOf(app, 'audit_exported')).at(-1)
  assert.equal(recorded?.actor_id, admin.id)
  assert.deepEqual(recorded?.details, { filters: query, rows: json.data.events.length })
})

test('an export without recent authentication or with an unknown parameter is refused, and nothing is recorded', async () => {
  const before = (await auditOf(app, 'audit_exported')).length
  for (const [name, value] of [
    ['format', 'xml'],
    ['evnet', 'login_fail'],
    ['page', '1'],
    ['event', 'nothing'],
    ['actor_id', 'x'],
  ]) {
    const { status, json } = await get({ [`${name}`]: `${value}` })
    assert.deepEqual([status, json.details[0].field], [400, name])
  }
  const head = await app.call('HEAD', '/auth/admin/audit/export', withSession(admin.sessionToken))
  assert.deepEqual([head.status, head.text], [200, ''])
  const late = await signedInAs(app, 'admin')
  app.clock.advance(hour)
  const refused = await get({}, late)
  assert.deepEqual([refused.status, refused.json.code], [403, 'REAUTH_REQUIRED'])
  assert.equal((await auditOf(app, 'audit_exported')).length, before)
})

test('an export stops when the session ends', async () => {
  const leaving = await signedInAs(app, 'admin')
  await insert(leaving.id, 1_500)
  const user = await findUser(app.ctx, leaving.id)
  const session = await app.ctx.db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', leaving.id)
    .executeTakeFirst()
  assert.ok(user && session)
  const view = { user, session, owners: [] }
  const text = await exportAudit(app.ctx, view, undefined, { format: 'json', target_id: leaving.id })
  await text.next()
  await text.next()
  await app.post('/auth/logout', {}, withSession(leaving.sessionToken))
  await assert.rejects(text.next(), { code: 'INVALID_SESSION' })
})
