import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { assertError, declaredRoutes, everyCredential } from './support.ts'

const env = { BLOG_ENABLED: 'true', POST_TYPES_ENABLED: 'true', RATE_LIMIT_ADMIN: '10000/1m' }
let app: TestApp
let headers: Record<string, string>
before(async () => {
  app = await startTestApp({ modules: ['api-keys', 'oauth', 'blog', 'post-types', 'privacy'], env })
  headers = await everyCredential(app)
})
after(() => app.stop())

/** List URLs: either those for administrators only, or all others. */
function lists(isForAdmins: boolean): string[] {
  const found = declaredRoutes(app).filter(({ method, rule, schema }) => {
    const { properties = {} } = (schema.querystring ?? {}) as { properties?: object }
    return method === 'GET' && 'page' in properties && (rule.access.permission !== undefined) === isForAdmins
  })
  return found
    .filter(({ url }) => !url.includes(':webhook_id') && !url.includes(':client_id'))
    .map(({ url }) =>
      url.replace(':key', 'post').replace(':module_id', 'blog').replace(/:id/, '01900000-0000-7000-8000-000000000000'),
    )
}

const unknown = ['srot', 'filter[name]', 'where', 'nmae', 'offset', '__proto__', 'toString', 'Q', 'page[size]']
const harmless = ['_', 't', '_t', 'ts', '_ts', 'timestamp', 'cb', '_cb', 'nocache']

test('lists for administrators refuse a filter that they do not know, by name', async () => {
  assert.ok(lists(true).length >= 4, lists(true).join())
  for (const url of lists(true)) {
    for (const name of unknown) {
      const reply = await app.get(`${url}?${encodeURIComponent(name)}=x`, { headers })
      const details = assertError(reply, 400, 'VALIDATION_ERROR', `${url} ${name}`)
      assert.deepEqual(details, [{ field: name, message: 'is not a parameter of this route' }])
    }
  }
})

test('what keeps caches away, the session and both spellings of a filter are no unknown members', async () => {
  const { 'x-session-id': session, ...rest } = headers
  for (const url of lists(true)) {
    const query = harmless.map((name) => `${name}=1700000000`).join('&')
    const reply = await app.get(`${url}?${query}&session_id=${session}`, { headers: rest })
    assert.equal(reply.status, 200, `${url} ${reply.text}`)
  }
  assert.equal((await app.get('/auth/users?userName=a&orderBy=email&user_type=admin', { headers })).status, 200)
})

test('all other lists ignore what they do not know', async () => {
  assert.ok(lists(false).length >= 3, lists(false).join())
  for (const url of lists(false)) {
    const plain = await app.get(url, { headers })
    for (const name of unknown) {
      const reply = await app.get(`${url}?${encodeURIComponent(name)}=x`, { headers })
      assert.equal(reply.status, plain.status, `${url} ${name}: ${reply.text}`)
    }
  }
})

test('with CLIENT_COMPAT lists for administrators ignore it as well', async () => {
  const compat = await startTestApp({ env: { ...env, CLIENT_COMPAT: 'true' } })
  try {
    const all = await compat.get('/auth/users', { headers: await everyCredential(compat) })
    const more = await compat.get('/auth/users?sort=name', { headers: await everyCredential(compat) })
    assert.deepEqual([all.status, more.status], [200, 200])
  } finally {
    await compat.stop()
  }
})
