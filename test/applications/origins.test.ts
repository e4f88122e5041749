import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isPrivileged } from '../../src/http/access/access.ts'
import { routesOf } from '../../src/http/server/create-server.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { type Superadmin, superadminOf } from './support.ts'

const stored = 'https://stored.example.com'
const declared = 'https://declared.example.com'

let app: TestApp
let superadmin: Superadmin
before(async () => {
  app = await startTestApp({ env: { CORS_ORIGINS: declared } })
  superadmin = await superadminOf(app)
  await superadmin.create('stored', { origins: [stored] })
})
after(() => app.stop())

const from = (origin: string) => ({ origin, cookie: `session_id=${superadmin.sessionToken}` })

test('a page on a stored origin calls the API for its user, but no route for administration', async () => {
  const own = await app.call('POST', '/auth/validation', { headers: from(stored) })
  assert.deepEqual([own.status, own.headers['access-control-allow-origin']], [200, stored])

  const routes = routesOf(app.http).filter(({ rule }) => isPrivileged(rule.access))
  assert.ok(routes.length > 50)
  for (const { method, url } of routes) {
    const before = (await auditOf(app, 'csrf_rejected')).length
    const address = url.replaceAll(/:\w+/g, superadmin.id)
    const { status, headers, json } = await app.call(method, address, { headers: from(stored) })
    assert.equal(headers['access-control-allow-origin'], undefined, `${method} ${url}`)
    assert.equal(status, 403, `${method} ${url} ${JSON.stringify(json)}`)
    const event = (await auditOf(app, 'csrf_rejected'))[before]
    assert.deepEqual([event?.outcome, event?.actor_id], ['failure', superadmin.id], `${method} ${url}`)
  }
})

test('a page on a stored origin cannot read the console', async () => {
  const page = await app.get('/admin/people', { headers: from(stored) })
  assert.equal(page.headers['access-control-allow-origin'], undefined)
  const readable = await app.get('/admin/people', { headers: from(declared) })
  assert.deepEqual([readable.status, readable.headers['access-control-allow-origin']], [200, declared])
})

test('a page on an origin of the settings administers, and so does one that is in both', async () => {
  await superadmin.create('both', { origins: [declared] })
  for (const method of ['GET', 'POST']) {
    const body = method === 'POST' ? { key: 'made', name: 'Made', kind: 'website' } : undefined
    const { status, headers } = await app.call(method, '/auth/admin/applications', { headers: from(declared), body })
    assert.deepEqual([status, headers['access-control-allow-origin']], [200, declared], method)
  }
})
