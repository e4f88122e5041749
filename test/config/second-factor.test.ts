import assert from 'node:assert/strict'
import { test } from 'node:test'
import { load, problemsOf } from './support.ts'

const wrong: [environment: Record<string, string>, problem: RegExp][] = [
  [
    { TWO_FACTOR_REQUIRED_FOR: 'admin,superadmn' },
    /names superadmn: not a user type\. The user types are superadmin, admin,/,
  ],
  [{ TWO_FACTOR_REMEMBER: '91d' }, /TWO_FACTOR_REMEMBER must be a duration from 0s to 90d/],
]
for (const [environment, problem] of wrong) {
  test(`${Object.entries(environment).join()} is refused at the start`, () => {
    assert.match(problemsOf({ PUBLIC_URL: 'https://example.com', ...environment }).join('\n'), problem)
  })
}

test('user types of this installation can be required to have a second factor', () => {
  const { TWO_FACTOR_REQUIRED_FOR } = load({ TWO_FACTOR_REQUIRED_FOR: 'admin, editor', USER_TYPES: 'editor' })
  assert.deepEqual(TWO_FACTOR_REQUIRED_FOR, ['admin', 'editor'])
})
