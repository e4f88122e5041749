import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { minute } from '../../src/lib/time.ts'
import { issued } from '../support/handover.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { bridgeSecret, type Reply, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let root: SignedIn
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '100000/1h', ADMIN_SESSION_IDLE_TTL: '60m' } })
})
after(() => app.stop())

const start = (id: string, who: SignedIn = root, body: object = { reason: 'An empty page' }): Promise<Reply> =>
  app.post(`/auth/admin/users/${id}/impersonate`, body, withSession(who.sessionToken))
const validated = (session_id: string) =>
  app.post('/auth/bridge/validate', { session_id }, { headers: { 'x-bridge-secret': bridgeSecret } })
const me = (token: string) => app.get('/auth/me', withSession(token))

/** Each case has a new superadmin because some cases end the superadmin's session or change their role. */
async function acting(): Promise<{ ada: SignedIn; token: string; reply: Reply }> {
  root = await signedInAs(app, 'superadmin')
  const ada = await registered(app)
  const reply = await start(ada.id)
  assert.equal(reply.status, 200, reply.text)
  return { ada, token: reply.json.sessionId, reply }
}

test('the session belongs to the user, names the superadmin to back ends, and both are in the audit log', async () => {
  const { ada, token, reply } = await acting()
  assert.equal(reply.json.impersonated_by, root.id)
  assert.equal((await me(token)).json.user.id, ada.id)
  for (const answer of [await validated(token), await validated(token)]) {
    assert.equal(answer.json.session.impersonatedBy, root.id)
    assert.equal(answer.json.authenticated_at, '1970-01-01T00:00:00.000Z')
    assert.deepEqual(answer.json.methods, [])
  }
  assert.equal((await validated(ada.sessionToken)).json.session.impersonatedBy, null)
  const current = async (sessionToken: string) =>
    (await app.get('/auth/session/current', withSession(sessionToken))).json
  const acted = await current(token)
  assert.deepEqual(acted.session, { application: null, impersonatedBy: root.id })
  assert.equal(acted.impersonated_by, root.id, 'the former place stays')
  const own = await current(ada.sessionToken)
  assert.deepEqual(own.session, { application: null, impersonatedBy: null })
  assert.ok(!('impersonated_by' in own))
  const started = (await auditOf(app, 'impersonation_started')).at(-1)!
  assert.deepEqual([started.actor_id, started.target_id], [root.id, ada.id])
  assert.equal(started.details.reason, 'An empty page')
  await app.post('/auth/refresh', {}, withSession(token))
  const path = `/auth/admin/audit?user_id=${root.id}&event=authz_denied`
  const [denied] = (await app.get(path, withSession(root.sessionToken))).json.data.events
  assert.deepEqual([denied.actor_id, denied.impersonator_id, denied.impersonator_label], [ada.id, root.id, root.email])
  const admin = await signedInAs(app, 'admin')
  const visible = await app.get(
    `/auth/admin/audit?user_id=${ada.id}&event=authz_denied`,
    withSession(admin.sessionToken),
  )
  assert.deepEqual(visible.json.data.events, [])
})

test('it ends after 15 minutes, however much it is used', async () => {
  const { token } = await acting()
  app.clock.advance(14 * minute)
  assert.equal((await me(token)).status, 200)
  assert.equal((await app.post('/auth/refresh', {}, withSession(token))).json.code, 'IMPERSONATED')
  app.clock.advance(1 * minute + 1)
  assert.equal((await me(token)).json.code, 'SESSION_EXPIRED')
  assert.equal((await validated(token)).status, 401)
  assert.equal((await me(root.sessionToken)).status, 200)
})

test('only a superadmin with recent authentication and a reason may start it, and never as a colleague', async () => {
  const { ada, token } = await acting()
  const before = await rowCounts(app)
  for (const role of ['support', 'admin', 'superadmin']) {
    const colleague = await signedInAs(app, role)
    assert.equal((await start(colleague.id)).json.code, 'FORBIDDEN', role)
    if (role !== 'superadmin') assert.equal((await start(ada.id, colleague)).json.code, 'FORBIDDEN', role)
  }
  assert.equal((await start(root.id)).json.code, 'FORBIDDEN')
  assert.equal((await start(ada.id, { ...root, sessionToken: token })).json.code, 'IMPERSONATED')
  for (const reason of ['', '  ', 'a\nb', 'x'.repeat(501), undefined, 7])
    assert.equal((await start(ada.id, root, { reason })).status, 400, String(reason))
  const admin = (path: string) =>
    app.post(`/auth/admin/users/${ada.id}${path}`, { reason: 'Spam' }, withSession(root.sessionToken))
  await admin('/block')
  assert.equal((await start(ada.id)).json.code, 'ACCOUNT_BLOCKED')
  await admin('/unblock')
  await app.call('DELETE', `/auth/admin/users/${ada.id}`, withSession(root.sessionToken))
  assert.equal((await start(ada.id)).json.code, 'NOT_FOUND')
  const grace = await registered(app)
  app.clock.advance(20 * minute)
  assert.equal((await start(grace.id)).json.code, 'REAUTH_REQUIRED')
  assert.ok((await rowCounts(app)).sessions! >= before.sessions!)
  const { rows } =
    await sql`SELECT 1 FROM sessions WHERE user_id = ${grace.id} AND impersonated_by IS NOT NULL`.execute(app.ctx.db)
  assert.deepEqual(rows, [])
})

describe('it ends at once', () => {
  const endings: Record<string, (ada: SignedIn) => Promise<unknown>> = {
    'when the superadmin signs out': () => app.post('/auth/logout', {}, withSession(root.sessionToken)),
    'when the superadmin loses the role': async () => {
      const other = await signedInAs(app, 'superadmin')
      await app.call('PUT', `/auth/admin/users/${root.id}`, {
        ...withSession(other.sessionToken),
        body: { user_type: 'admin' },
      })
    },
    'when the superadmin is blocked': async () => {
      const other = await signedInAs(app, 'superadmin')
      await app.post(`/auth/admin/users/${root.id}/block`, { reason: 'Left' }, withSession(other.sessionToken))
    },
    'when the user is blocked': (ada) =>
      app.post(`/auth/admin/users/${ada.id}/block`, { reason: 'Spam' }, withSession(root.sessionToken)),
    'when the user is deleted': (ada) =>
      app.call('DELETE', `/auth/admin/users/${ada.id}`, withSession(root.sessionToken)),
    'when the user ends other sessions': (ada) =>
      app.call('DELETE', '/auth/sessions', {
        ...withSession(ada.sessionToken),
        body: { current_password: ada.password },
      }),
    'when it is stopped': async () => app.post('/auth/impersonation/stop', {}, withSession(current)),
  }
  let current: string
  for (const [name, end] of Object.entries(endings)) {
    test(name, async () => {
      const { ada, token } = await acting()
      current = token
      assert.equal((await validated(token)).status, 200)
      await end(ada)
      assert.equal((await validated(token)).status, 401)
      assert.equal((await me(token)).status, 401)
    })
  }

  test('when a statement by hand takes the role away', async () => {
    const { token } = await acting()
    await sql`UPDATE users SET user_type = 'customer' WHERE id = ${root.id}`.execute(app.ctx.db)
    app.clock.advance(6_000)
    assert.equal((await validated(token)).status, 401)
  })
})

test('it reaches neither applications nor gateways', async () => {
  const { token, ada } = await acting()
  await assert.rejects(issued(app, token), /Invalid session/)
  const gateway = await app.get('/auth/verify', { headers: { 'x-bridge-secret': bridgeSecret, 'x-session-id': token } })
  assert.equal(gateway.json.code, 'IMPERSONATED')
  const query = new URLSearchParams({
    return_to: 'http://localhost:3000/x',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  })
  const page = await app.get(`/login?${query}`, { headers: { cookie: `session_id=${token}`, accept: 'text/html' } })
  assert.equal(page.status, 403)
  const refused = (await auditOf(app, 'authz_denied')).at(-1)!
  assert.deepEqual([refused.actor_id, refused.details.deed], [ada.id, 'handover'])
})

test('the user sees the session and can end it, but not where the superadmin is', async () => {
  const { ada } = await acting()
  const { sessions } = (await app.get('/auth/sessions', withSession(ada.sessionToken))).json.data
  const [shown, ...more] = sessions.filter(({ impersonated }: { impersonated: boolean }) => impersonated)
  assert.deepEqual(more, [])
  assert.deepEqual([shown.ipAddress, shown.userAgent, shown.userDevice], ['', '', ''])
  const ended = await app.call('DELETE', `/auth/sessions/${shown.id}`, withSession(ada.sessionToken))
  assert.equal(ended.status, 200)
})

test('only superadmins see where the superadmin is', async () => {
  const { ada } = await acting()
  for (const [viewer, seen] of [
    [await signedInAs(app, 'admin'), false],
    [await signedInAs(app, 'support'), false],
    [root, true],
  ] as const) {
    const { sessions } = (await app.get(`/auth/admin/users/${ada.id}`, withSession(viewer.sessionToken))).json.data
    const shown = sessions.find(({ impersonated }: { impersonated: boolean }) => impersonated)
    assert.equal(shown.ipAddress !== '', seen)
  }
})

test('it never pushes out a session of the user', async () => {
  const small = await startTestApp({ env: { SESSION_MAX_PER_USER: '1', RATE_LIMIT_ADMIN: '100000/1h' } })
  try {
    const superadmin = await signedInAs(small, 'superadmin')
    const ada = await registered(small)
    const path = `/auth/admin/users/${ada.id}/impersonate`
    for (let round = 0; round < 3; round++)
      await small.post(path, { reason: 'A test' }, withSession(superadmin.sessionToken))
    assert.equal((await small.get('/auth/me', withSession(ada.sessionToken))).status, 200)
  } finally {
    await small.stop()
  }
})

test('it takes no place of a session of the user when the user signs in again', async () => {
  const small = await startTestApp({ env: { SESSION_MAX_PER_USER: '2', RATE_LIMIT_ADMIN: '100000/1h' } })
  try {
    const superadmin = await signedInAs(small, 'superadmin')
    const ada = await registered(small)
    const signIn = async (): Promise<string> => {
      small.clock.advance(1_000)
      return (await small.post('/auth/login', ada)).json.sessionId
    }
    const second = await signIn()
    small.clock.advance(1_000)
    const path = `/auth/admin/users/${ada.id}/impersonate`
    await small.post(path, { reason: 'A test' }, withSession(superadmin.sessionToken))
    const third = await signIn()
    const statuses = [ada.sessionToken, second, third].map((token) => small.get('/auth/me', withSession(token)))
    assert.deepEqual(
      (await Promise.all(statuses)).map(({ status }) => status),
      [401, 200, 200],
    )
  } finally {
    await small.stop()
  }
})
