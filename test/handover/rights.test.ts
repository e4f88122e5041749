import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertError, declaredRoutes } from '../http/support.ts'
import { handedOver, sessionOf } from '../support/handover.ts'
import { person, registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { type Reply, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({
    modules: ['blog', 'post-types'],
    env: {
      BLOG_ENABLED: 'true',
      EMAIL_CHANGE_REAUTH: 'true',
      RATE_LIMIT_ADMIN: '1000/1h',
      RATE_LIMIT_LOGIN: '1000/1h',
    },
  })
})
after(() => app.stop())

test('no session of an application calls a route for administrators, whatever the role of its user', async () => {
  const routes = declaredRoutes(app).filter(({ rule }) => rule.access.permission !== undefined)
  for (const role of ['admin', 'superadmin']) {
    const shop = await handedOver(app, (await signedInAs(app, role)).sessionToken)
    const own = routes.filter(({ rule }) => app.ctx.staff.admits(rule.access, role))
    assert.ok(own.length > 40)
    for (const { method, url } of own) {
      const path = url.replaceAll(/:\w+/g, '01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf')
      const refused = await app.call(method, path, withSession(shop))
      assertError(refused, 403, 'FORBIDDEN', `${method} ${path}`)
      assert.match(refused.json.error, /session of this service itself/, `${method} ${path}`)
    }
    const denied = (await auditOf(app, 'authz_denied')).slice(-own.length)
    assert.ok(denied.every(({ details }) => details.application === 'https://shop.example'))
  }
})

test('an application does not moderate comments', async () => {
  const root = await signedInAs(app, 'superadmin')
  const shop = await handedOver(app, root.sessionToken)
  const verdict = '/api/v1/posts/comments/01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf/moderate'
  assertError(await app.get('/api/v1/posts/comments', withSession(shop)), 403, 'FORBIDDEN')
  assertError(await app.post(verdict, { status: 'approved' }, withSession(shop)), 403, 'FORBIDDEN')
  assert.equal((await app.get('/api/v1/posts/comments', withSession(root.sessionToken))).status, 200)
})

test('the browser session of the same administrator calls them', async () => {
  const grace = await signedInAs(app, 'admin')
  await handedOver(app, grace.sessionToken)
  assert.equal((await app.get('/auth/admin/audit', withSession(grace.sessionToken))).status, 200)
})

test('an application writes posts with the rights of the person', async () => {
  const shop = await handedOver(app, (await signedInAs(app, 'admin')).sessionToken)
  const post = { title: 'A lighthouse', content: 'It turns.' }
  const reply = await app.post('/api/v1/posts', post, withSession(shop))
  assert.ok([200, 201].includes(reply.status), reply.text)
})

const fresh = 'seven lamps along the quay'
const prove = async ({ password }: SignedIn, sessionToken: string) => {
  app.clock.advance(1)
  assert.equal((await app.post('/auth/reauthenticate', { password }, withSession(sessionToken))).status, 200)
}
/** Actions that weaken an account's protection or the owner's access to it. */
const weakening: Record<string, (sessionToken: string) => Promise<Reply>> = {
  'another address': (sessionToken) =>
    app.post('/auth/email-change/request', { new_email: person().email }, withSession(sessionToken)),
  'another address in the profile': (sessionToken) =>
    app.call('PUT', '/auth/profile', { body: { email: person().email, name: 'Ada' }, ...withSession(sessionToken) }),
  'the end of all other sessions': (sessionToken) => app.call('DELETE', '/auth/sessions', withSession(sessionToken)),
}

for (const [name, weaken] of Object.entries(weakening)) {
  test(`an application needs a proof of its own for ${name}`, async () => {
    const ada = await registered(app)
    const shop = await handedOver(app, ada.sessionToken)
    assertError(await weaken(shop), 403, 'REAUTH_REQUIRED')
    await prove(ada, shop)
    assert.equal((await weaken(shop)).status, 200)
  })
}

test('an application sets no password for an account that has none', async () => {
  const ada = await registered(app)
  await sql`UPDATE users SET password_hash = NULL WHERE id = ${ada.id}`.execute(app.ctx.db)
  const shop = await handedOver(app, ada.sessionToken)
  const set = (sessionToken: string) =>
    app.post('/auth/password-change/self', { new_password: fresh }, withSession(sessionToken))
  assertError(await set(shop), 403, 'FORBIDDEN')
  assert.equal((await set(ada.sessionToken)).status, 200)
})

test('an application sets no first password even after a proof in its own session', async () => {
  const ada = await registered(app)
  const shop = await handedOver(app, ada.sessionToken)
  await prove(ada, shop)
  await sql`UPDATE users SET password_hash = NULL WHERE id = ${ada.id}`.execute(app.ctx.db)
  const reply = await app.post('/auth/password-change/self', { new_password: fresh }, withSession(shop))
  assertError(reply, 403, 'FORBIDDEN')
  assert.equal((await app.post('/auth/login', { email: ada.email, password: fresh })).status, 401)
  const { details } = (await auditOf(app, 'authz_denied')).at(-1) ?? {}
  assert.deepEqual(details, { action: 'set_password', application: 'https://shop.example' })
})

test('an application ends sessions of its own sign-in, and others only with a proof of its own', async () => {
  const ada = await registered(app)
  const elsewhere = (await app.post('/auth/login', { email: ada.email, password: ada.password })).json.sessionId
  const shop = await handedOver(app, ada.sessionToken)
  const blog = await handedOver(app, ada.sessionToken, 'https://blog.example/back')
  const end = async (sessionToken: string) =>
    app.call('DELETE', `/auth/sessions/${(await sessionOf(app, sessionToken)).id}`, withSession(shop))
  assertError(await end(elsewhere), 403, 'REAUTH_REQUIRED')
  assertError(await end(await handedOver(app, elsewhere)), 403, 'REAUTH_REQUIRED')
  assertError(await app.call('DELETE', '/auth/sessions/none', withSession(shop)), 403, 'REAUTH_REQUIRED')
  assert.equal((await end(blog)).status, 200)
  await prove(ada, shop)
  assert.equal((await end(elsewhere)).status, 200)
  assert.equal((await end(ada.sessionToken)).status, 200)
  assert.equal((await app.get('/auth/me', withSession(shop))).json.success, false)
})
