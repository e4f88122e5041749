import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { admins } from '../../src/http/access.ts'
import { assertError, declaredRoutes } from '../http/support.ts'
import { handedOver } from '../support/handover.ts'
import { signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

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
  const routes = declaredRoutes(app).filter(({ rule }) => rule.access === admins)
  assert.ok(routes.length > 40)
  for (const role of ['admin', 'superadmin']) {
    const shop = await handedOver(app, (await signedInAs(app, role)).bearer)
    for (const { method, url } of routes) {
      const path = url.replaceAll(/:\w+/g, '01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf')
      const refused = await app.call(method, path, withSession(shop))
      assertError(refused, 403, 'FORBIDDEN', `${method} ${path}`)
      assert.match(refused.json.error, /sign-in page of this service/, `${method} ${path}`)
    }
    const denied = (await auditOf(app, 'authz_denied')).slice(-routes.length)
    assert.ok(denied.every(({ details }) => details.application === 'https://shop.example'))
  }
})

test('the browser session of the same administrator calls them', async () => {
  const grace = await signedInAs(app, 'admin')
  await handedOver(app, grace.bearer)
  assert.equal((await app.get('/auth/admin/audit', withSession(grace.bearer))).status, 200)
})

test('an application writes posts with the rights of the person', async () => {
  const shop = await handedOver(app, (await signedInAs(app, 'admin')).bearer)
  const post = { title: 'A lighthouse', content: 'It turns.' }
  const reply = await app.post('/api/v1/posts', post, withSession(shop))
  assert.ok([200, 201].includes(reply.status), reply.text)
})
