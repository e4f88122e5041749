import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertError } from '../http/support.ts'
import { person, registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['privacy'] })
})
after(() => app.stop())

/**
 * Ends all of a user's sessions after the request's session has been checked and before the next transaction begins.
 */
function endBeforeNextTransaction({ id }: SignedIn): void {
  const { db } = app.ctx
  const begin = db.transaction.bind(db)
  db.transaction = () => {
    db.transaction = begin
    const builder = begin()
    const execute = builder.execute.bind(builder)
    builder.execute = async (work) => {
      await sql`UPDATE sessions SET status = 'revoked', ended_at = now() WHERE user_id = ${id}`.execute(db)
      return execute(work)
    }
    return builder
  }
}

const deeds: Record<string, (id: string) => [method: string, url: string, body?: object]> = {
  'a role': (id) => ['PUT', `/auth/users/${id}`, { user_type: 'admin' }],
  'a deletion': (id) => ['DELETE', `/auth/users/${id}`],
  'the end of sessions': (id) => ['DELETE', `/auth/admin/users/${id}/sessions`],
  'a password': (id) => [
    'POST',
    '/auth/password-change/admin',
    { user_id: id, new_password: 'moths around the relay' },
  ],
  'a new user': () => ['POST', '/auth/users', { ...person('grace'), user_type: 'admin' }],
  'the own profile': () => ['PUT', '/auth/profile', { name: 'Eve' }],
  'the own picture': () => ['DELETE', '/auth/upload/picture'],
  'a consent': () => ['PUT', '/auth/user/me/privacy', { ccpa_opt_out: true }],
  'the own data': () => ['POST', '/auth/user/me/privacy/exports', {}],
  'the own deletion': () => ['POST', '/auth/user/me/privacy/delete-request', {}],
  'staying after all': () => ['DELETE', '/auth/user/me/privacy/delete-request'],
  'the data of somebody': (id) => ['POST', `/auth/admin/users/${id}/privacy/export`, {}],
  'a deletion in time': (id) => ['POST', `/auth/admin/users/${id}/privacy/delete-request`, {}],
}

for (const [what, deed] of Object.entries(deeds)) {
  test(`a session that ends while it requests ${what} changes nothing`, async () => {
    const [admin, ada] = [await signedInAs(app, 'superadmin'), await registered(app)]
    const before = await rowCounts(app)
    const [method, url, body] = deed(ada.id)
    endBeforeNextTransaction(admin)
    assertError(await app.call(method, url, { body, ...withSession(admin.sessionToken) }), 401, 'INVALID_SESSION')
    assert.deepEqual(await rowCounts(app), before)
  })
}

test('an admin sees how many sessions a superadmin has, and nothing about them', async () => {
  const [admin, superadmin] = [await signedInAs(app, 'admin'), await signedInAs(app, 'superadmin')]
  const seenBy = async ({ sessionToken }: SignedIn, path: string) =>
    (await app.get(`${path}/${superadmin.id}`, withSession(sessionToken))).json.data
  for (const path of ['/auth/users', '/auth/admin/users']) {
    const { sessions, sessionCount } = await seenBy(admin, path)
    assert.deepEqual(sessions, [])
    const own = await seenBy(superadmin, path)
    assert.equal(own.sessions.length > 0, true)
    assert.equal(sessionCount, own.sessionCount)
  }
})

test('the audit log accepts only existing days', async () => {
  const admin = await signedInAs(app, 'superadmin')
  const list = (name: string, time: string) =>
    app.get('/auth/admin/audit', { query: { [name]: time }, ...withSession(admin.sessionToken) })
  for (const time of ['2026-02-30', '2026-02-29', '2026-04-31T10:00:00Z', '2026-00-10', '2026-13-01', '2026-01-32'])
    for (const name of ['time_from', 'time_to', 'from', 'to'])
      assert.equal(assertError(await list(name, time), 400, 'VALIDATION_ERROR', time)[0]?.field, name)
  for (const time of ['2024-02-29', '2026-04-30T23:59:59+02:00', '0001-01-01'])
    assert.equal((await list('from', time)).status, 200, time)
})
