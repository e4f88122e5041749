import assert from 'node:assert/strict'
import { test } from 'node:test'
import { person, registered } from '../support/people.ts'
import { startTestApp } from '../support/test-app.ts'

test('passwords that could not be checked under load do not count as wrong', async (t) => {
  const app = await startTestApp({ env: { HASH_CONCURRENCY: '1', HASH_QUEUE: '1' } })
  t.after(() => app.stop())
  const ada = await registered(app)
  const login = ({ email, password }: { email: string; password: string }) =>
    app.post('/auth/login', { email, password })
  for (let round = 0; round < 3; round++) {
    const crowd = await Promise.all([
      ...Array.from({ length: 3 }, () => login(person())),
      ...Array.from({ length: 14 }, () => login(ada)),
    ])
    assert.ok(crowd.some(({ status }) => status === 503))
    assert.equal((await login(ada)).status, 200, `round ${round}`)
  }
})
