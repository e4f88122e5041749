import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRecord, recordProblem } from '../../src/import/record.ts'
import { AppError } from '../../src/lib/errors.ts'

const problems: [what: string, members: object, problem: string][] = [
  [
    'an unknown member of a block',
    { blocked: { reason: 'Spam', by: 'x' } },
    'blocked.by is not known: allowed are reason, since, until',
  ],
  ['a block without a reason', { blocked: {} }, 'blocked.reason is required'],
  ['a block that is no object', { blocked: 3 }, 'blocked must be an object'],
  [
    'an unknown member of a factor',
    { totp: [{ secret: 'x', digits: 6 }] },
    'totp.0.digits is not known: allowed are secret, created_at, last_used_at',
  ],
]

for (const [what, members, expected] of problems) {
  test(`names ${what} and what is allowed`, () => {
    const isExpected = (error: unknown) => error instanceof AppError && recordProblem(error.details ?? []) === expected
    assert.throws(() => readRecord({ email: 'ada@example.com', ...members }), isExpected)
  })
}
