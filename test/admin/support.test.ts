import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute } from '../../src/lib/time.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let support: SignedIn
let admin: SignedIn
before(async () => {
  app = await startTestApp({ env: { ADMIN_SESSION_IDLE_TTL: '10m', RATE_LIMIT_ADMIN: '100000/1h' } })
  support = await signedInAs(app, 'support')
  admin = await signedInAs(app, 'admin')
})
after(() => app.stop())

const read = async (path: string, who = support) => (await app.get(path, withSession(who.sessionToken))).json.data
const sessionsOf = async (id: string, who = support): Promise<unknown[]> =>
  (await read(`/auth/admin/users/${id}`, who)).sessions

test('support agents read users and the audit trail, but not where administrators sign in', async () => {
  const ada = await registered(app)
  assert.deepEqual(
    (await read(`/auth/users?q=${ada.email}`)).users.map(({ id }: { id: string }) => id),
    [ada.id],
  )
  assert.equal((await sessionsOf(ada.id)).length, 1)
  assert.ok((await read(`/auth/admin/audit?user_id=${ada.id}`)).events.length > 0)
  assert.deepEqual(await sessionsOf(admin.id), [])
  assert.equal((await sessionsOf(admin.id, admin)).length, 1)
})

test('support agents change nothing, and each attempt is recorded', async () => {
  const ada = await registered(app)
  const users = '/auth/admin/users'
  const attempts: [string, string, object?][] = [
    ['PUT', `${users}/${ada.id}`, { user_type: 'support' }],
    ['PUT', `${users}/${support.id}`, { user_type: 'admin' }],
    ['DELETE', `${users}/${ada.id}`],
    ['POST', `${users}/${ada.id}/block`, { reason: 'spam' }],
    ['DELETE', `${users}/${ada.id}/sessions`],
    ['POST', users, { email: 'new@example.com', user_type: 'admin' }],
  ]
  for (const [method, path, body] of attempts) {
    const { status, json } = await app.call(method, path, {
      ...withSession(support.sessionToken),
      ...(body && { body }),
    })
    assert.deepEqual([status, json.code], [403, 'FORBIDDEN'], `${method} ${path}`)
  }
  const denied = (await auditOf(app, 'authz_denied')).filter(({ actor_id }) => actor_id === support.id)
  assert.equal(denied.length, attempts.length)
})

test('the sessions of support agents end as early as those of administrators', async () => {
  const agent = await signedInAs(app, 'support')
  app.clock.advance(11 * minute)
  assert.equal((await app.get('/auth/me', withSession(agent.sessionToken))).status, 401)
})
