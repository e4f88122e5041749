import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day } from '../../src/lib/time.ts'
import { registered, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

test('the sessions of a user include an expired one with this status', async () => {
  const ada = await registered(app)
  app.clock.advance(8 * day)
  const grace = await signedInAs(app, 'admin')
  const { json } = await app.get(`/auth/admin/users/${ada.id}`, withSession(grace.sessionToken))
  assert.deepEqual(
    json.data.sessions.map(({ status }: { status: string }) => status),
    ['expired'],
  )
})
