import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { after, before, test } from 'node:test'
import { routesOf } from '../../src/http/server/create-server.ts'
import { RouteTable } from '../../src/http/server/route-table.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { assertError, declaredRoutes, everyCredential, listen } from './support.ts'

let app: TestApp
let headers: Record<string, string>
let paths: Map<string, string[]>
let table: RouteTable
before(async () => {
  app = await startTestApp({
    env: { RATE_LIMIT_READ: '100000/1m', RATE_LIMIT_BULK: '1000/1h', RATE_LIMIT_EXPORT: '1000/1h' },
  })
  headers = await everyCredential(app)
  table = new RouteTable()
  for (const route of routesOf(app.http)) table.add(route, route.rule)
  // A path can match several routes: GET /users/search is the search, and DELETE /users/search matches /users/:id.
  paths = new Map(routesOf(app.http).map(({ url }) => [url, table.methodsOf(url)]))
})
after(() => app.stop())

const others = METHODS.filter((method) => !['HEAD', 'OPTIONS', 'CONNECT'].includes(method))

test('a known path with any other method that HTTP knows is 405 and says which methods it has', async () => {
  for (const [url, known] of paths) {
    for (const method of others.filter((one) => !known.includes(one))) {
      for (const path of [url, `${url === '/' ? '' : url}/`, `${url}?a=b`]) {
        const reply = await app.call(method, path, { headers })
        assertError(reply, 405, 'METHOD_NOT_ALLOWED', `${method} ${path}`)
        assert.deepEqual(String(reply.headers.allow).split(', ').toSorted(), known.toSorted(), `${method} ${path}`)
      }
    }
  }
})

test('a header cannot change the method', async () => {
  for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
    assertError(
      await app.call('GET', '/auth/logout', { headers: { ...headers, [name]: 'POST' } }),
      405,
      'METHOD_NOT_ALLOWED',
    )
    assertError(
      await app.call('POST', '/auth/me?_method=GET', { headers: { ...headers, [name]: 'GET' } }),
      405,
      'METHOD_NOT_ALLOWED',
    )
  }
  assert.equal((await app.get('/auth/me', { headers })).status, 200)
})

test('a trailing slash is the same route', async () => {
  for (const { method, url } of declaredRoutes(app).filter(({ url }) => url !== '/' && url !== '/auth/logout')) {
    const [plain, slashed] = [await app.call(method, url, { headers }), await app.call(method, `${url}/`, { headers })]
    assert.equal(slashed.status, plain.status, url)
    assert.equal(slashed.json?.code, plain.json?.code, url)
  }
})

const otherSpellings = (url: string): string[] => [
  `/${url}`,
  `${url}//`,
  url.replace(/\/(?=[^/]*$)/, '//'),
  url.replace(/\/(?=[^/]*$)/, '/./'),
  url.replace(/\/(?=[^/]*$)/, '/x/../'),
  url.replace(/\/(?=[^/]*$)/, '%2f'),
  url.replace(/\/(?=[^/]*$)/, '%2F'),
  url.replace(/\/(?=[^/]*$)/, '\\'),
  url.replace(/\/(?=[^/]*$)/, '%5c'),
  url.toUpperCase(),
  url.replace(/\/[a-z]/, (start) => start.toUpperCase()),
  `${url};a=b`,
  `${url}.json`,
  `${url}.css`,
  `${url}/x.css`,
  `${url}%00`,
  `${url}%20`,
  `${url}%3f`,
  `${url}/..`,
]

test('any other spelling of a path is 404, by every method, with every credential', async () => {
  const send = await listen(app)
  const credentials = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  // Wildcard paths are excluded because the part after the prefix is the path of the visitor's request.
  const fixed = [...paths.keys()].filter((url) => url !== '/' && !url.endsWith('*'))
  const spellings = new Set(fixed.flatMap(otherSpellings))
  const table = new RouteTable()
  for (const route of declaredRoutes(app)) table.add(route, route.rule)
  // Excludes variants that are known paths: if a path ends in an id, a variant can be another valid id.
  const isUnknown = (path: string) => !paths.has(path) && table.methodsOf(path).length === 0
  for (const path of [...spellings].filter((one) => one.startsWith('/') && (one.endsWith('//') || isUnknown(one)))) {
    for (const method of ['GET', 'POST']) {
      const reply = await send(
        `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept: application/json\r\n${credentials.join('')}\r\n`,
      )
      // The variant may match a parameterized route that does not support this method.
      if (table.methodsOf(path).length > 0 && reply.startsWith('HTTP/1.1 405 ')) continue
      assert.match(reply, /^HTTP\/1\.1 404 /, `${method} ${path}`)
      assert.match(reply, /"code":"(NOT_FOUND|module_not_installed)"/, `${method} ${path}`)
    }
  }
})

test('HEAD answers as GET does, without a body', async () => {
  for (const [url] of [...paths].filter(([, methods]) => methods.includes('HEAD'))) {
    const [get, head] = [await app.get(url, { headers }), await app.call('HEAD', url, { headers })]
    assert.equal(head.status, get.status, url)
    assert.equal(head.text, '', url)
    assert.equal(head.headers['content-type'], get.headers['content-type'], url)
  }
})

test('every GET has its HEAD, but for those that would make or consume a secret by it', () => {
  const without = [...paths].filter(([, methods]) => methods.includes('GET') && !methods.includes('HEAD'))
  assert.deepEqual(
    without.map(([url]) => url),
    ['/auth/token/validate', '/auth/social/:provider/login', '/auth/social/:provider/callback'],
  )
})

test('methods that HTTP does not know, and tunnels, get nowhere', async () => {
  const send = await listen(app)
  assert.match(await send('BREW /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 400 /)
  assert.match(await send('OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 404 /)
  assert.match(await send('CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\n'), /^HTTP\/1\.1 400 /)
  const upgrade = 'Connection: close, Upgrade\r\nUpgrade: websocket\r\n'
  assert.match(await send(`GET /nothing HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n`), /^HTTP\/1\.1 404 /)
})

test('an address names the path alone: neither Host nor an absolute form changes what is answered', async () => {
  const send = await listen(app)
  const reply = await send(
    'GET http://evil.test/health HTTP/1.1\r\nHost: evil.test:1@good.test\r\nConnection: close\r\n\r\n',
  )
  assert.match(reply, /^HTTP\/1\.1 200 /)
  assert.doesNotMatch(reply, /evil/)
})

test('whoever asks first whether a body is welcome hears so, and at once when it is too large', async () => {
  const send = await listen(app)
  const ask = (url: string, length: number, body = '') =>
    send(
      `POST ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n\r\n${body}`,
    )
  assert.match(await ask('/auth/login', 2, '{}'), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /)
  for (const url of ['/auth/login', '/auth/login/?a=b', '/auth/logout']) {
    assert.match(await ask(url, 102_401), /^HTTP\/1\.1 413 .*PAYLOAD_TOO_LARGE/s)
  }
  assert.match(await ask('/auth/upload/picture', 102_401), /^HTTP\/1\.1 100 .*HTTP\/1\.1 4/s)
})

test('an expectation that nobody knows is ignored', async () => {
  const send = await listen(app)
  const reply = await send('GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n')
  assert.match(reply, /^HTTP\/1\.1 200 OK\r\n/)
  assert.match(reply, /x-request-id: /)
})

test('the table tells parameters from further levels', () => {
  const table = new RouteTable()
  const rule = {} as Parameters<RouteTable['add']>[1]
  table.add({ method: 'DELETE', url: '/auth/sessions/:id' }, rule)
  table.add({ method: ['GET', 'DELETE'], url: '/auth/sessions' }, rule)
  table.add({ method: 'GET', url: '/dev/inbox.json' }, rule)
  assert.deepEqual(table.methodsOf('/auth/sessions/1'), ['DELETE'])
  assert.deepEqual(table.methodsOf('/auth/sessions/1/'), ['DELETE'])
  assert.deepEqual(table.methodsOf('/auth/sessions'), ['GET', 'DELETE'])
  for (const path of ['/auth/sessions/1/2', '/auth/sessions//', '/dev/inboxxjson', '/auth/sessions/']) {
    assert.deepEqual(table.methodsOf(path), path.endsWith('s/') ? ['GET', 'DELETE'] : [], path)
  }
})
