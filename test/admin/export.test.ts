import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { exportSearch } from '../../src/admin/export-search.ts'
import { csvLine } from '../../src/lib/csv.ts'
import { findUser } from '../../src/users/queries.ts'
import { install } from '../support/modules.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let admin: SignedIn
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_EXPORT: '100000/1h', RATE_LIMIT_ADMIN: '100000/1h' } })
  admin = await signedInAs(app, 'admin')
})
after(() => app.stop())

const get = (query: Record<string, string>, who = admin) =>
  app.get('/auth/users/export', { ...withSession(who.sessionToken), query })
const insert = (prefix: string, count: number) =>
  sql`INSERT INTO users (id, email, user_name, name, created_at, updated_at)
    SELECT gen_random_uuid(), ${prefix} || i || '@example.org', ${prefix} || i, ${prefix}, now(), now()
    FROM generate_series(1, ${count}::int) AS i`.execute(app.ctx.db)
const lastExport = async () => (await auditOf(app, 'users_exported')).at(-1)

test('an export has all matching users once, in more batches than one, as CSV and as JSON', async () => {
  await insert('crowd', 1234)
  const { rows } = await sql<{ id: string }>`SELECT id FROM users WHERE name = 'crowd' ORDER BY id`.execute(app.ctx.db)
  const ids = rows.map(({ id }) => id)
  const csv = await get({ name: 'crowd' })
  assert.equal(csv.status, 200, csv.text)
  assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8')
  assert.equal(csv.headers['content-disposition'], 'attachment; filename="users.csv"')
  const lines = csv.text.split('\r\n')
  assert.deepEqual([lines.length, lines.at(-1)], [1236, ''])
  assert.deepEqual(
    lines.slice(1, -1).map((line) => line.split(',')[0]),
    ids,
  )
  const json = await get({ name: 'crowd', format: 'json' })
  assert.equal(json.headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(json.headers['content-disposition'], 'attachment; filename="users.json"')
  assert.deepEqual(
    json.json.data.users.map(({ id }: { id: string }) => id),
    ids,
  )
  const search = await app.get('/auth/users?name=crowd&limit=1', withSession(admin.sessionToken))
  const [shown] = search.json.data.users
  assert.deepEqual(
    json.json.data.users.find(({ id }: { id: string }) => id === shown.id),
    { ...shown, roles: [] },
  )
})

test('no part of a CSV cell is a formula, whatever the spreadsheet takes for a separator or for an operator', () => {
  for (const [text, cell] of [
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ['x;=1+1', "x;'=1+1"],
    ['x;;@SUM(A1);-1', "x;;'@SUM(A1);'-1"],
    ['x\t＝1', "x\t'＝1"],
    ['x\n=1', `"x\n'=1"`],
    ['x;"=1"', `"x;""'=1"""`],
    ['=1;=2', "'=1;'=2"],
    ['Bot/2.1 (X11; +https://bot.example) x-y=z', 'Bot/2.1 (X11; +https://bot.example) x-y=z'],
  ] as const)
    assert.equal(csvLine([text]), `${cell}\r\n`)
})

test('no cell of a CSV file is a formula, and JSON has the names as they are', async () => {
  const names = ['=1+1', '+1', '-1', '@SUM(A1)', '=cmd|"/C calc"!A0', 'a,"b"', 'Zoë 😀', "'=1"]
  for (const name of names)
    await registered(app, 'ada', { name, last_name: 'Formula', phone: `+4477009001${10 + names.indexOf(name)}` })
  await sql`UPDATE users SET name = E'\t=1' WHERE name = 'a,"b"'`.execute(app.ctx.db)
  const { text } = await get({ user_name: 'ada_' })
  const lines = text.split('\r\n').slice(1, -1)
  assert.equal(lines.length, names.length)
  for (const cell of [
    ",'=1+1,",
    ",'+1,",
    ",'-1,",
    ",'@SUM(A1),",
    `,"'=cmd|""/C calc""!A0",`,
    ",'\t'=1,",
    ',Zoë 😀,',
    ",'=1,",
  ])
    assert.ok(text.includes(cell), cell)
  assert.ok(text.includes(",'+447700900110,"))
  for (const line of lines) assert.doesNotMatch(line, /(^|,)"?[=+\-@\t]/)
  const json = await get({ user_name: 'ada_', format: 'json' })
  assert.ok(json.json.data.users.some(({ name }: { name: string }) => name === '=1+1'))
})

test('an export contains blocks, deletions and members of modules, but no secret', async () => {
  const [ada, gone] = [await registered(app), await registered(app)]
  const session = withSession(admin.sessionToken)
  await app.post(`/auth/admin/users/${ada.id}/block`, { reason: 'Spam, twice' }, session)
  await app.call('DELETE', `/auth/admin/users/${gone.id}`, session)
  await install(app, 'privacy')
  const { text } = await get({ blocked: 'true' })
  const [head, line] = text.split('\r\n')
  assert.match(
    head ?? '',
    /^id,email,name,.*,deleted_at,roles,gdpr_consent,.*,blocked_reason,blocked_since,blocked_until$/,
  )
  assert.match(line ?? '', new RegExp(`^${ada.id},${ada.email},.*,global,"Spam, twice",2`))
  const deleted = await get({ deleted: 'true', format: 'json' })
  assert.deepEqual(
    deleted.json.data.users.map(({ id, deleted_at: at }: Record<string, string>) => [id, at]),
    [[gone.id, new Date(app.clock.now()).toISOString()]],
  )
  const all = (await get({ format: 'json' })).text + (await get({})).text
  for (const secret of ['password', 'argon2', 'search_text', 'session_epoch', admin.sessionToken])
    assert.ok(!all.includes(secret), secret)
})

test('the audit event is there before the data, with the filters and without addresses in clear text', async () => {
  const { json } = await get({ email: 'crowd12', verified: 'false', createdFrom: '2020-01-01', format: 'json' })
  const event = await lastExport()
  assert.ok(event)
  assert.equal(event.actor_id, admin.id)
  assert.equal(event.details.rows, json.data.users.length)
  const { email, ...filters } = event.details.filters as Record<string, unknown>
  assert.deepEqual(filters, { verified: false, created_from: '2020-01-01' })
  assert.match(String(email), /^c:[\w-]{22}$/)
})

test('an unknown or invalid parameter is refused, also with CLIENT_COMPAT, and nothing is recorded', async () => {
  const before = (await auditOf(app, 'users_exported')).length
  for (const [name, value] of [
    ['format', 'xml'],
    ['nmae', 'x'],
    ['page', '1'],
    ['limit', '1'],
    ['provider', 'myspace'],
    ['created_to', 'now'],
  ]) {
    const { status, json } = await get({ [`${name}`]: `${value}` })
    assert.deepEqual([status, json.details[0].field], [400, name])
  }
  assert.equal((await auditOf(app, 'users_exported')).length, before)
  const compat = await startTestApp({ env: { CLIENT_COMPAT: 'true' } })
  try {
    const boss = await signedInAs(compat, 'admin')
    assert.equal((await compat.get('/auth/users/export?nmae=x', withSession(boss.sessionToken))).status, 400)
  } finally {
    await compat.stop()
  }
})

test('HEAD sends the headers and exports nothing', async () => {
  const before = (await auditOf(app, 'users_exported')).length
  const { status, headers, text } = await app.call('HEAD', '/auth/users/export', withSession(admin.sessionToken))
  assert.deepEqual([status, text, headers['content-type']], [200, '', 'text/csv; charset=utf-8'])
  assert.equal((await auditOf(app, 'users_exported')).length, before)
})

test('an export requires recent authentication', async () => {
  app.clock.advance(app.ctx.config.REAUTH_WINDOW + 1)
  const { status, json } = await get({})
  assert.deepEqual([status, json.code], [403, 'REAUTH_REQUIRED'])
  admin = await signedInAs(app, 'admin')
})

test('an export breaks off when the session of the administrator ends', async () => {
  const boss = await signedInAs(app, 'admin')
  const user = await findUser(app.ctx, boss.id)
  const session = await app.ctx.db.selectFrom('sessions').selectAll().where('user_id', '=', boss.id).executeTakeFirst()
  assert.ok(user && session)
  const batches = await exportSearch(app.ctx, { user, session, owners: [] }, undefined, {
    name: 'crowd',
  })
  assert.equal((await batches.next()).value?.length, 500)
  await app.post('/auth/logout', {}, withSession(boss.sessionToken))
  await assert.rejects(batches.next(), /Invalid session/)
})

test('a search that matches more users than an export may contain is refused', async () => {
  await sql`INSERT INTO user_counts VALUES ('customer', 100000)`.execute(app.ctx.db)
  const { status, json } = await get({})
  assert.deepEqual([status, json.details[0].field], [400, 'query'])
  assert.match(json.details[0].message, /more than 100000 users/)
  assert.equal((await get({ name: 'crowd' })).status, 200)
})
