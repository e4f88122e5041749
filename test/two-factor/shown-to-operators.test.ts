import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findLastSignIn } from '../../src/admin/queries.ts'
import { minute } from '../../src/lib/time.ts'
import { passkeyOwner } from '../support/passkeys.ts'
import { withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['two-factor'] })
})
after(() => app?.stop())

test('operators see active methods without secrets, and a sign-in only after its second factor', async () => {
  const ada = await passkeyOwner(app)
  const [method, ...others] = await app.ctx.secondFactor.methodsOf(app.ctx.db, ada.id)
  assert.deepEqual(
    [method?.method, Object.keys(method ?? {}).sort()],
    ['passkey', ['id', 'identifier', 'method', 'status']],
  )
  assert.deepEqual(others, [])
  const first = await findLastSignIn(app.ctx.db, ada.id)
  assert.ok(first)

  app.clock.advance(minute)
  const { json } = await app.post('/auth/login', ada)
  assert.equal(json.requires_2fa, true)
  assert.deepEqual(await findLastSignIn(app.ctx.db, ada.id), first)
  app.clock.advance(minute)
  const start = await app.post('/auth/two_factor/passkey/start', {}, withSession(json.sessionId))
  const response = ada.authenticator.get(start.json.options)
  await app.post('/auth/two_factor/verify', { method: 'passkey', response }, withSession(json.sessionId))
  const second = await findLastSignIn(app.ctx.db, ada.id)
  assert.equal(second?.getTime(), app.clock.now())
})
