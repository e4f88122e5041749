import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { summaryOf } from '../../src/db/statement-summary.ts'

const cases: [text: string, operation: string, table: string | undefined][] = [
  ['select "id" from "users" where "email" = $1', 'SELECT', 'users'],
  ['select "id" from "users" where "email" = $1 for update', 'SELECT', 'users'],
  ['INSERT INTO audit_events (id) SELECT id FROM users', 'INSERT', 'audit_events'],
  [
    'insert into "account_counters" ("key") values ($1) on conflict do update set "count" = 1',
    'INSERT',
    'account_counters',
  ],
  ['UPDATE sessions SET used = $1', 'UPDATE', 'sessions'],
  ['delete from "one_time_tokens" where "id" in ($1)', 'DELETE', 'one_time_tokens'],
  ['WITH gone AS (DELETE FROM sessions RETURNING id) SELECT * FROM gone', 'DELETE', 'sessions'],
  ['WITH recent AS (SELECT id FROM users) SELECT * FROM recent', 'SELECT', 'users'],
  ['SELECT a FROM (SELECT 1 AS a) AS b', 'SELECT', undefined],
  ['SELECT pg_advisory_xact_lock($1)', 'SELECT', undefined],
  ["SELECT 'Ada from Lovelace'", 'SELECT', undefined],
  ['\n  -- a comment\n  SELECT 1 FROM jobs.job', 'SELECT', 'job'],
  ['begin', 'BEGIN', undefined],
  ['COMMIT', 'COMMIT', undefined],
  ['VACUUM users', '_OTHER', undefined],
  ['', '_OTHER', undefined],
]
for (const [text, operation, table] of cases) {
  test(`${JSON.stringify(text)} is summarized as ${operation} ${table ?? ''}`, () => {
    assert.deepEqual(summaryOf(text), { operation, table })
  })
}

test('a summary contains no values, whatever the statement is', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const { operation, table } = summaryOf(`SELECT '${text.replaceAll("'", "''")}', $1`)
      return operation === 'SELECT' && table === undefined
    }),
  )
})
