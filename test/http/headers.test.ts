import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { registered } from '../support/people.ts'
import { type Reply, startTestApp, type TestApp } from '../support/test-app.ts'
import { declaredRoutes, everyCredential, listen } from './support.ts'

/** The response from routes whose module is not installed. */
const switchedOn = { BLOG_ENABLED: 'true', POST_TYPES_ENABLED: 'true' }

let app: TestApp
let headers: Record<string, string>
before(async () => {
  app = await startTestApp({
    env: { PUBLIC_URL: 'https://auth.example.com', FRONTEND_URL: 'https://app.example.com', ...switchedOn },
  })
  headers = await everyCredential(app)
})
after(() => app.stop())

const always = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  vary: 'Origin, Cookie',
  'cross-origin-resource-policy': 'same-site',
  'cache-control': 'no-store',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
}
const apiPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
const pagePolicy =
  /^default-src 'none'; style-src 'nonce-([\w+/=]{24})'; script-src 'nonce-\1' 'strict-dynamic'; .*form-action 'self' https:\/\/app\.example\.com; frame-ancestors 'none'; base-uri 'none'$/

/** `anyOrigin`: the response is for pages of any origin. */
function assertHeaders(reply: Reply, about: string, { anyOrigin = false } = {}): void {
  for (const [name, value] of Object.entries(always)) assert.equal(reply.headers[name], value, `${name} of ${about}`)
  const isPage = String(reply.headers['content-type']).startsWith('text/html')
  const policy = String(reply.headers['content-security-policy'])
  if (isPage) assert.match(policy, pagePolicy, about)
  else assert.equal(policy, apiPolicy, about)
  assert.equal(reply.headers['cross-origin-opener-policy'], isPage ? 'same-origin' : undefined, about)
  for (const name of ['server', 'x-powered-by', 'x-xss-protection', 'etag', 'access-control-allow-credentials']) {
    assert.equal(reply.headers[name], undefined, `${name} of ${about}`)
  }
  assert.equal(reply.headers['access-control-allow-origin'], anyOrigin ? '*' : undefined, about)
  assertLimitHeaders(reply, about)
  assert.match(String(reply.headers['x-request-id']), /^[\w-]{10,}$/, about)
  if (reply.status >= 400 && reply.json) assert.equal(reply.json.request_id, reply.headers['x-request-id'], about)
}

function assertLimitHeaders({ headers, status }: Reply, about: string): void {
  const numbers = ['limit', 'remaining', 'reset'].map((name) => String(headers[`x-ratelimit-${name}`]))
  for (const number of numbers) assert.match(number, /^\d+$/, about)
  const [limit = 0, remaining = 0, reset = 0] = numbers.map(Number)
  // Requests of OAuth clients count after the client was authenticated.
  const isCounted = !about.includes(' /oauth/')
  assert.ok(limit >= 1 && remaining <= limit && (remaining < limit || !isCounted), about)
  const ahead = reset - app.clock.now() / 1000
  assert.ok(ahead > 0 && ahead <= 86_401, about)
  assert.equal(headers['retry-after'] !== undefined, status === 429 || status === 503, about)
}

// Browsers and proxies cache these replies, so they have other headers. test/screens/site-files.test.ts,
// test/screens/brand.test.ts and test/passkeys/well-known.test.ts check them.
const cachedReplies = [
  '/favicon.ico',
  '/apple-touch-icon.png',
  '/robots.txt',
  '/auth/brand',
  '/.well-known/passkey-endpoints',
]

describe('every header that the contract names is on', () => {
  test('every route, whoever calls it by whatever method', async () => {
    for (const { url, rule } of declaredRoutes(app)) {
      if (cachedReplies.includes(url)) continue
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
        const anyOrigin = rule.anyOrigin && ['GET', 'HEAD', 'OPTIONS'].includes(method)
        assertHeaders(await app.call(method, url), `${method} ${url}`, { anyOrigin })
        assertHeaders(
          await app.call(method, url, { headers: { ...headers, accept: 'text/html' } }),
          `${method} ${url} for a person`,
          { anyOrigin },
        )
      }
    }
    headers = await everyCredential(app)
  })

  test('requests that are refused before a route is asked', async () => {
    for (const { method, url, rule } of declaredRoutes(app)) {
      assertHeaders(await app.call(method, `${url}?a=1&a=2`), `400 of ${url}`, rule)
      assertHeaders(await app.call(method, `${url}?${'x'.repeat(9_000)}`), `400 of ${url}`, rule)
      if (method === 'GET') continue
      assertHeaders(await app.call(method, url, { body: '{' }), `broken JSON for ${url}`)
      assertHeaders(await app.call(method, url, { body: ' '.repeat(102_401) }), `413 of ${url}`)
      assertHeaders(
        await app.call(method, url, { body: 'x', headers: { 'content-type': 'text/plain' } }),
        `415 of ${url}`,
      )
    }
  })

  test('paths that do not exist, also for a person, and paths that are none', async () => {
    for (const path of [
      '/nothing',
      '/auth',
      '/auth/nothing',
      '/api/v1/nothing',
      '/favicon.png',
      '/%',
      '/auth/%zz',
      '/%2e%2e/x',
      '/auth/me/../me.css',
    ]) {
      for (const accept of ['application/json', 'text/html']) {
        const reply = await app.get(path, { headers: { accept } })
        assert.equal(reply.status, 404, path)
        assertHeaders(reply, `${path} as ${accept}`)
      }
    }
  })

  test('each status that a route can answer with', async () => {
    const { email, password } = await registered(app)
    const cookie = { cookie: `session_id=${(await registered(app)).sessionToken}`, origin: 'https://evil.example' }
    const replies: Record<number, Reply> = {
      200: await app.post('/auth/login', { email, password }),
      400: await app.post('/auth/login', {}),
      401: await app.post('/auth/login', { email, password: `${password}!` }),
      403: await app.call('POST', '/auth/refresh', { headers: cookie }),
      404: await app.get('/metrics'),
      405: await app.call('DELETE', '/auth/login'),
      413: await app.post('/auth/login', 'x'.repeat(102_401)),
      415: await app.post('/auth/login', 'x', { headers: { 'content-type': 'text/plain' } }),
    }
    for (const [status, reply] of Object.entries(replies)) {
      assert.equal(reply.status, Number(status), reply.text)
      assertHeaders(reply, status)
    }
  })
})

describe('under pressure', () => {
  let small: TestApp
  before(async () => {
    const limits = { RATE_LIMIT_LOGIN: '1/1m', RATE_LIMIT_READ: '2/1m', HASH_CONCURRENCY: '1', HASH_QUEUE: '0' }
    small = await startTestApp({ env: { PUBLIC_URL: 'https://auth.example.com', ...limits } })
  })
  after(() => small.stop())

  test('429 carries them, and says when to come back', async () => {
    const from = '203.0.113.9'
    for (const [method, url] of [
      ['POST', '/auth/login'],
      ['GET', '/health'],
      ['GET', '/nothing'],
    ] as const) {
      await small.call(method, url, { from })
      await small.call(method, url, { from })
      const limited = await small.call(method, url, { from })
      assert.equal(limited.status, 429)
      assertHeaders(limited, url)
      assert.match(String(limited.headers['retry-after']), /^([1-9]|[1-5]\d|6[01])$/)
      assert.equal(limited.headers['x-ratelimit-remaining'], '0')
    }
  })

  test('503 carries them too', async () => {
    const login = { email: 'ada@example.com', password: 'seven quiet river stones' }
    const replies = await Promise.all(Array.from({ length: 5 }, () => small.post('/auth/login', login)))
    const refused = replies.filter(({ status }) => status === 503)
    assert.ok(refused.length > 0)
    for (const reply of refused) assertHeaders(reply, '503')
  })
})

test('what never becomes a request is answered in the same form, and the connection is closed', async () => {
  const send = await listen(app)
  const close = 'Connection: close\r\n\r\n'
  for (const bytes of [
    'nonsense\r\n\r\n',
    `FOO /health HTTP/1.1\r\nHost: x\r\n${close}`,
    `GET health HTTP/1.1\r\nHost: x\r\n${close}`,
    `GET /health HTTP/1.1\r\n${close}`,
    'GET /health\r\n\r\n',
    `GET /health HTTP/1.1\nHost: x\n${close}`,
    `GET /health HTTP/1.1\r\nHost: x\r\n folded: x\r\n${close}`,
    `GET /health HTTP/1.1\r\nHost: x\r\nX-Pad: ${'x'.repeat(17_000)}\r\n${close}`,
    'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'GET /health HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
    'GET /nothing HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n',
    'POST /auth/login HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n',
  ]) {
    const [head = '', body = ''] = (await send(bytes)).split('\r\n\r\n')
    const [status, ...lines] = head.split('\r\n')
    assert.equal(status, 'HTTP/1.1 400 Bad Request', bytes.slice(0, 60))
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    )
    assert.equal(headers.connection, 'close')
    assertHeaders({ status: 400, headers, json: JSON.parse(body), text: body, cookies: {} }, bytes.slice(0, 60))
    assert.equal(JSON.parse(body).code, 'VALIDATION_ERROR')
  }
})
