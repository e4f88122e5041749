import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Reply, startTestApp, type TestApp } from '../support/test-app.ts'
import { allowed, foreign, originSettings } from './origin-lists.ts'
import { assertError, ownRoutes } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: originSettings })
})
after(() => app.stop())

/** Pages of the origins of OAuth clients call these (test/modules/oauth/public-clients.test.ts). */
const shared = /^\/oauth\/(token|revoke|userinfo)$/

/** All routes except those for public documents, which pages of any origin can read. */
const restricted = () => ownRoutes(app).filter(({ rule, url }) => !rule.anyOrigin && !shared.test(url))

const grants = ({ headers }: Reply): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'))

test('an allowed origin is granted access on every route and every rejection, by its exact name', async () => {
  for (const origin of allowed) {
    for (const { method, url } of restricted()) {
      for (const reply of [
        await app.call(method, url, { headers: { origin } }),
        await app.call('TRACE', url, { headers: { origin } }),
      ]) {
        assert.equal(reply.headers['access-control-allow-origin'], origin, url)
        assert.equal(reply.headers['access-control-allow-credentials'], 'true', url)
        assert.equal(
          reply.headers['access-control-expose-headers'],
          'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id',
        )
        assert.equal(reply.headers.vary, 'Origin, Cookie', url)
      }
    }
  }
  assert.deepEqual(grants(await app.get('/health')), [], 'without an origin nothing is granted')
})

test('any other origin gets no such header, on no route', async () => {
  for (const origin of foreign) {
    for (const { method, url } of restricted()) {
      const replies = [await app.call(method, url, { headers: { origin } }), await preflight(url, origin)]
      for (const reply of replies) {
        assert.deepEqual(grants(reply), [], `${origin} at ${url}`)
        assert.equal(reply.headers.vary, 'Origin, Cookie', url)
      }
    }
  }
})

const preflight = (url: string, origin: string): Promise<Reply> =>
  app.call('OPTIONS', url, {
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
  })

test('a preflight of an allowed origin learns methods, headers and for how long', async () => {
  for (const { url } of restricted()) {
    const { status, headers } = await preflight(url, 'https://app.example.com')
    assert.equal(status, 200, url)
    assert.equal(headers['access-control-allow-methods'], 'GET, POST, PUT, PATCH, DELETE')
    assert.equal(headers['access-control-max-age'], '600')
    assert.deepEqual(String(headers['access-control-allow-headers']).split(', '), [
      'Content-Type',
      'Accept',
      'Authorization',
      'Cache-Control',
      'X-Session-ID',
      'X-Bridge-Secret',
      'X-OAuth-Flow',
      'X-Post-Password',
      'X-Requested-With',
    ])
  }
  const unknown = await preflight('/nothing', 'https://app.example.com')
  assertError(unknown, 404, 'NOT_FOUND')
  assert.equal(unknown.headers['access-control-allow-methods'], undefined)
})

test('pages of any origin can read only public documents, and without credentials', async () => {
  const open = ownRoutes(app).filter(({ rule }) => rule.anyOrigin)
  assert.deepEqual(
    open.map(({ method, url }) => `${method} ${url}`),
    ['GET /oauth/jwks', 'GET /.well-known/oauth-authorization-server', 'GET /.well-known/openid-configuration'],
  )
  for (const { url } of open)
    for (const origin of [...allowed, ...foreign]) {
      const { headers } = await app.get(url, { headers: { origin } })
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.equal(headers['access-control-allow-credentials'], undefined)
      const asked = await preflight(url, origin)
      assert.equal(asked.headers['access-control-allow-origin'], '*')
      assert.equal(asked.headers['access-control-allow-methods'], 'GET')
      assert.equal(asked.headers['access-control-allow-credentials'], undefined)
    }
})
