import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { withSession } from '../../support/people.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { staffOf } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '3/10m' } })
})
after(() => app.stop())

test('pages for staff count what they read as reads', async () => {
  const grace = await staffOf(app, 'admin')
  for (let view = 0; view < 5; view++) assert.equal((await grace.open('/admin/people')).status, 200)
})

test('a request that claims to come from a page counts against the limit of administrators', async () => {
  const grace = await staffOf(app, 'admin')
  const { headers, ...caller } = withSession(grace.sessionToken)
  const statuses = []
  for (let call = 0; call < 5; call++) {
    const forged = { ...headers, 'x-in-process': '' }
    const reply = await app.get('/auth/users', { ...caller, headers: forged, from: '203.0.113.77' })
    statuses.push(reply.status)
  }
  assert.deepEqual(statuses, [200, 200, 200, 429, 429])
})
