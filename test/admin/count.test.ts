import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { cleanUp } from '../../src/jobs/clean-up.ts'
import { day } from '../../src/lib/time.ts'
import { install } from '../support/modules.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let admin: SignedIn
before(async () => {
  app = await startTestApp({
    env: {
      RATE_LIMIT_ADMIN: '100000/1h',
      USER_TYPES: 'partner',
      SESSION_IDLE_TTL: '90d',
      SESSION_ABSOLUTE_TTL: '365d',
    },
  })
  admin = await signedInAs(app, 'admin')
})
after(() => app.stop())
beforeEach(() => sql`DELETE FROM users WHERE id <> ${admin.id}`.execute(app.ctx.db))

const by = (method: string, path: string, body?: object) =>
  app.call(method, `/auth/admin/users${path}`, { ...withSession(admin.sessionToken), body })
const totalOf = async (query: Record<string, string>): Promise<number> => {
  const { json, text } = await app.get('/auth/users', { ...withSession(admin.sessionToken), query })
  assert.ok(json.data, text)
  return json.data.pagination.total
}
const types = ['customer', 'partner', 'admin', 'superadmin']
/** Checks the totals for all users and for each type, before and after the count rows are merged. */
async function assertTotals(customer: number, partner = 0, superadmin = 0): Promise<void> {
  for (const when of ['before', 'after']) {
    assert.equal(await totalOf({}), customer + partner + superadmin + 1, when)
    const totals = await Promise.all(types.map((type) => totalOf({ user_type: type })))
    assert.deepEqual(totals, [customer, partner, 1, superadmin], when)
    if (when === 'before') await cleanUp(app.ctx)
  }
}
const kept = async () =>
  (
    await sql<{ xmin: string }>`SELECT xmin::text, user_type, users FROM user_counts ORDER BY user_type`.execute(
      app.ctx.db,
    )
  ).rows

test('the total is exact after any change to users', async () => {
  await assertTotals(0)
  const people = [await registered(app), await registered(app), await registered(app)] as const
  await assertTotals(3)
  assert.equal((await by('PUT', `/${people[0].id}`, { user_type: 'partner' })).status, 200)
  await assertTotals(2, 1)
  for (const { id } of people) assert.equal((await by('PUT', `/${id}`, { name: 'Renamed' })).status, 200)
  await assertTotals(2, 1)
  for (const { id } of people) assert.equal((await by('DELETE', `/${id}`)).status, 200)
  await assertTotals(0)
  // A deleted user is not counted, even after a role change.
  await sql`UPDATE users SET user_type = 'superadmin' WHERE id = ${people[1].id}`.execute(app.ctx.db)
  await assertTotals(0)
  assert.equal((await by('POST', `/${people[0].id}/restore`, {})).status, 200)
  await assertTotals(0, 1)
  app.clock.advance(31 * day)
  await cleanUp(app.ctx)
  const { rows } = await sql`SELECT 1 FROM users`.execute(app.ctx.db)
  assert.equal(rows.length, 2, 'who was deleted is erased')
  await assertTotals(0, 1)
})

test('many who come, change and go in one statement count as many; those who were there already count once', async () => {
  const insert = sql`INSERT INTO users (id, email, user_name, user_type, created_at, updated_at, deleted_at)
    SELECT gen_random_uuid(), 'many' || i || '@example.org', 'many' || i, CASE WHEN i % 3 = 0 THEN 'partner' ELSE 'customer' END,
      now(), now(), CASE WHEN i % 10 = 0 THEN ${new Date(app.clock.now())}::timestamptz END
    FROM generate_series(1, 300) AS i ON CONFLICT DO NOTHING`
  await insert.execute(app.ctx.db)
  await insert.execute(app.ctx.db)
  await assertTotals(180, 90)
  await sql`UPDATE users SET user_type = 'customer', deleted_at = NULL WHERE user_type <> 'admin'`.execute(app.ctx.db)
  await assertTotals(300)
  await sql`DELETE FROM users WHERE email LIKE 'many1%'`.execute(app.ctx.db)
  await assertTotals(300 - 111)
})

test('a change that is rolled back does not count', async () => {
  const rolledBack = app.ctx.db.transaction().execute(async (db) => {
    await sql`DELETE FROM users`.execute(db)
    throw new Error('rolled back')
  })
  await assert.rejects(rolledBack, /rolled back/)
  await assertTotals(0)
})

test('any number of rows is summed up, and what is summed up is left alone', async () => {
  await registered(app)
  await sql`INSERT INTO user_counts SELECT 'customer', 1 - 2 * (i % 2) FROM generate_series(1, 25000) AS i`.execute(
    app.ctx.db,
  )
  await sql`INSERT INTO user_counts VALUES ('nobody', 1), ('nobody', -1)`.execute(app.ctx.db)
  const [before, total] = [(await kept()).length, await totalOf({})]
  await cleanUp(app.ctx)
  const summed = await kept()
  assert.deepEqual(
    summed.map(({ user_type }: Record<string, unknown>) => user_type),
    ['admin', 'customer'],
  )
  assert.ok(before > 25_000)
  assert.equal(await totalOf({}), total)
  await cleanUp(app.ctx)
  assert.deepEqual(await kept(), summed)
})

test('a module that adds columns to users changes no total', async () => {
  await registered(app)
  await install(app, 'onboarding')
  await registered(app)
  await assertTotals(2)
  assert.equal(await totalOf({ is_business: 'false' }), 3)
  assert.equal(await totalOf({ is_business: 'true' }), 0)
})

test('the count is zero when all users are deleted at once', async () => {
  await registered(app)
  await sql`TRUNCATE users CASCADE`.execute(app.ctx.db)
  assert.deepEqual(await kept(), [])
  admin = await signedInAs(app, 'admin')
  await assertTotals(0)
})
