import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { estimateMatches } from '../../src/admin/estimate-queries.ts'
import { explainTimeout } from '../../src/admin/search-users.ts'
import { sampleOf, timesOf } from '../../src/db/sample.ts'
import type { AppError } from '../../src/lib/errors.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const total = 15_000
/** Consecutive rows, as an import stores them. */
const imported = 2_000

let app: TestApp
before(async () => {
  app = await startTestApp()
  // Writing its entries would take most of the time.
  await sql`DROP INDEX users_search`.execute(app.ctx.db)
  await sql`INSERT INTO users (id, email, user_name, name, title, created_at, updated_at)
    SELECT gen_random_uuid(), 'ada' || i || '@example.com', 'ada' || i,
      CASE WHEN i <= ${imported} THEN 'Imported' WHEN i % 2 = 0 THEN 'Even' ELSE 'Odd' END, repeat('x', 200), now(), now()
    FROM generate_series(1, ${total}) AS i`.execute(app.ctx.db)
})
after(() => app.stop())

const estimate = (name: string) =>
  estimateMatches(app.ctx.db, {
    deleted: false,
    texts: [{ part: name, in: 'name' }],
    userType: undefined,
    indexed: [],
    conditions: [],
  })

test('an estimate of matches is a lower bound, however the matches are spread', async () => {
  const spread = await estimate('Even')
  assert.ok(spread.atLeast > 200 && spread.atLeast <= (total - imported) / 2, JSON.stringify(spread))
  assert.equal(spread.way, 'scan')
  const together = await estimate('Imported')
  assert.ok(together.atLeast <= imported, JSON.stringify(together))
  assert.deepEqual(await estimate('nobody'), { atLeast: 0, about: 0, share: 0, way: 'index' })
})

test('a sample is about its share of the table, and a small table is read whole', async () => {
  const counted = async (blocks: number) => {
    const { rows } = await sql<{ users: number }>`SELECT round(count(*) * ${timesOf('users', blocks)})::int AS users
      FROM ${sampleOf('users', blocks)}`.execute(app.ctx.db)
    return rows[0]?.users ?? 0
  }
  assert.equal(await counted(100_000), total)
  const estimated = await counted(200)
  assert.ok(Math.abs(estimated - total) < 0.25 * total, `${estimated}`)
})

test('a search that takes too long says what to do, and other errors stay what they are', () => {
  assert.throws(
    () => explainTimeout(Object.assign(new Error('canceling statement'), { code: '57014' })),
    (error: AppError) => error.code === 'VALIDATION_ERROR' && /add a filter/.test(JSON.stringify(error.details)),
  )
  const other = Object.assign(new Error('terminating connection'), { code: '57P01' })
  assert.throws(() => explainTimeout(other), other)
})
