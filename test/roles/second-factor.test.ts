import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../http/support.ts'
import { registered, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['two-factor'], env: { TWO_FACTOR_REQUIRED_FOR: 'admin' } })
})
after(() => app.stop())

test('a role needs the second factor that a built-in staff role needs', async () => {
  const root = await signedInAs(app, 'superadmin')
  const body = { key: 'moderator', name: 'Moderator', permissions: ['users:read'] }
  assert.equal((await app.call('POST', '/auth/admin/roles', { body, ...withSession(root.sessionToken) })).status, 200)
  const moderator = await signedInAs(app, 'moderator')
  assertError(await app.get('/auth/admin/users', withSession(moderator.sessionToken)), 401, 'TWO_FACTOR_REQUIRED')
  assert.equal((await app.post('/auth/login', moderator)).json.requires_2fa, true)
  const customer = await registered(app)
  assert.equal((await app.post('/auth/login', customer)).json.requires_2fa, false)
  assert.equal((await app.get('/auth/admin/users', withSession(root.sessionToken))).status, 200)
})
