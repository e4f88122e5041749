import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { readRows } from '../../src/db/bulk/tables.ts'
import { openEmpty } from './support.ts'

test('large rows after many small ones are read in small batches', async (t) => {
  const { db } = await openEmpty(t)
  await sql`CREATE TABLE texts (number integer, body text)`.execute(db)
  await sql`ALTER TABLE texts ALTER COLUMN body SET STORAGE EXTERNAL`.execute(db)
  await sql`INSERT INTO texts SELECT n, CASE WHEN n > 400 THEN repeat('x', 1000000) ELSE 'x' END
    FROM generate_series(1, 460) AS n`.execute(db)
  const shape = { name: 'texts', columns: ['number', 'body'].map((name) => ({ name, type: 'text' })) }
  const sizes: number[] = []
  let count = 0
  await db.transaction().execute(async (tx) => {
    for await (const lines of readRows(tx, shape)) {
      sizes.push(lines.join('\n').length)
      count += lines.length
    }
  })
  assert.equal(count, 460)
  assert.ok(Math.max(...sizes) < 2_000_000, `the largest batch has ${Math.max(...sizes)} characters`)
})
