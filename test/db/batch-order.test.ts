import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** These tables are small, or have no index for the condition. */
const unordered = ['src/sessions/revocation-queries.ts', 'src/modules/two-factor/queries.ts']

// Without an order, PostgreSQL prefers a sequential scan for a small limit, and reads everything before the first match.
test('statements that change rows in batches read them in the order of an index', () => {
  const batches = globSync('src/**/*.ts').flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('`')
      .flatMap((statement) => statement.split('FOR UPDATE SKIP LOCKED').slice(0, -1))
      .filter((clauses) => /\bLIMIT \S+\s*$/.test(clauses))
      .map((clauses) => ({ file, isOrdered: /\bORDER BY [^()]*$/.test(clauses) })),
  )
  assert.ok(batches.length > 15)
  assert.deepEqual(
    batches.filter(({ isOrdered }) => !isOrdered).map(({ file }) => file),
    unordered.toSorted().reverse(),
  )
})
