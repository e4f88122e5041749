import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { registered, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const check = async (body: object, call = {}) => (await app.post('/auth/password-check', body, call)).json

test('a form hears which rule a password would break, by the same rules as whoever sets it', async () => {
  const { success, accepted, rule, message } = await check({ password: 'seven quiet river stones' })
  assert.deepEqual([success, accepted, rule, message], [true, true, null, 'Password accepted'])
  for (const [password, broken] of [
    ['', 'short'],
    ['short', 'short'],
    ['x'.repeat(257), 'long'],
    ['password123', 'common'],
    ['1234567890', 'common'],
    ['         ', 'spaces'],
    ['wardenry', 'context'],
  ] as const)
    assert.deepEqual(
      await check({ password }).then(({ accepted, rule }) => [accepted, rule]),
      [false, broken],
      password,
    )
})

test('whose password it would be is the user of the session, or who is about to register', async () => {
  const ada = await registered(app)
  assert.equal((await check({ password: ada.email })).rule, null)
  assert.equal((await check({ password: ada.email }, withSession(ada.sessionToken))).rule, 'context')
  assert.equal((await check({ password: 'grace.hopper', email: 'grace.hopper@example.com' })).rule, 'context')
  assert.equal((await check({ password: ada.email, email: ada.email }, withSession('ses_x'))).rule, 'context')
})
