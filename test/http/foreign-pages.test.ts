import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { registered, type SignedIn, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { formTypes } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const foreign = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }

test('another site that ends its own session does not make the browser forget the one it has', async () => {
  const [ada, eve] = [await registered(app), await registered(app, 'grace')]
  const headers = { ...foreign, accept: 'text/html', cookie: `session_id=${ada.sessionToken}` }
  const reply = await app.call('POST', `/auth/logout?session_id=${eve.sessionToken}`, { headers })
  assert.equal(reply.status, 200)
  assert.deepEqual(reply.cookies, {})
  assert.equal(reply.headers['clear-site-data'], undefined)
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 200)
})

const own = { origin: 'http://localhost:3000' }

/** A logout request's origin and headers, and the expected status. */
const logouts: Record<string, (ada: SignedIn, other: SignedIn) => [number, string, Record<string, string>]> = {
  'the session of the cookie in the header': ({ sessionToken }) => [
    200,
    '',
    { 'x-session-id': sessionToken, cookie: kept(sessionToken) },
  ],
  'another session in the header': (ada, other) => [
    200,
    '',
    { 'x-session-id': ada.sessionToken, cookie: kept(other.sessionToken) },
  ],
  'a session in the address': (ada, other) => [
    200,
    `?session_id=${ada.sessionToken}`,
    { cookie: kept(other.sessionToken) },
  ],
  'an unknown session in the header': ({ sessionToken }) => [
    401,
    '',
    { 'x-session-id': 'unknown', cookie: kept(sessionToken) },
  ],
  'two cookies': (ada, other) => [200, '', { cookie: `${kept(ada.sessionToken)}; ${kept(other.sessionToken)}` }],
  'an unknown session in the cookie': () => [401, '', { cookie: kept('unknown') }],
  'no credential': () => [401, '', {}],
}

const kept = (sessionToken: string): string => `session_id=${sessionToken}`

test('a logout clears the cookie of the browser that asks, whatever it finds', async () => {
  for (const [what, make] of Object.entries(logouts)) {
    const [status, query, headers] = make(await registered(app), await registered(app, 'grace'))
    for (const from of [own, {}]) {
      const reply = await app.post(`/auth/logout${query}`, undefined, { headers: { ...headers, ...from } })
      if (from === own) assert.equal(reply.status, status, what)
      assert.equal(reply.cookies.session_id?.maxAge, 0, what)
    }
  }
})

test('another site clears no cookie by a logout, whatever it sends', async () => {
  for (const [what, make] of Object.entries(logouts)) {
    const [, query, headers] = make(await registered(app), await registered(app, 'grace'))
    // A page on another site cannot send this header, because the preflight request is rejected.
    const { 'x-session-id': sessionToken = 'unknown', cookie = '' } = headers
    const address = `/auth/logout${query || `?session_id=${sessionToken}`}`
    const reply = await app.post(address, undefined, { headers: { ...foreign, accept: 'text/html', cookie } })
    assert.deepEqual([reply.cookies, reply.headers['clear-site-data']], [{}, undefined], what)
  }
})

test('extending a session sets the cookie, but not for another site', async () => {
  const ada = await registered(app)
  for (const headers of [own, {}, { 'x-session-id': ada.sessionToken }]) {
    const reply = await app.post(`/auth/refresh?session_id=${ada.sessionToken}`, undefined, { headers })
    assert.deepEqual([reply.status, reply.cookies.session_id?.value], [200, ada.sessionToken])
  }
  const reply = await app.post(`/auth/refresh?session_id=${ada.sessionToken}`, undefined, { headers: foreign })
  assert.deepEqual([reply.status, reply.cookies], [200, {}])
})

test('what any page can make a browser send does not use up its attempts to sign in', async () => {
  const ada = await registered(app)
  const from = '203.0.113.77'
  for (let count = 0; count < 8; count++) {
    await app.get('/auth/setup?token=x', { from, headers: foreign })
    const text = await app.post('/auth/login', 'x=1', { from, headers: { ...foreign, 'content-type': 'text/plain' } })
    assert.equal(text.status, 415)
    const form = { ...foreign, 'content-type': 'application/x-www-form-urlencoded' }
    assert.equal((await app.post('/auth/login', 'email=a', { from, headers: form })).status, 415)
  }
  assert.equal((await app.post('/auth/login', { email: ada.email, password: ada.password }, { from })).status, 200)
})

test('a form is one in every spelling of its type, and signs nobody in where only JSON does', async () => {
  const ada = await registered(app)
  const body = new URLSearchParams({ email: ada.email, password: ada.password }).toString()
  for (const [index, type] of formTypes.entries()) {
    const headers = { ...foreign, 'content-type': type }
    const reply = await app.post('/auth/login', body, { from: `203.0.113.${100 + index}`, headers })
    assert.deepEqual([reply.status, reply.json.code, reply.cookies], [415, 'UNSUPPORTED_MEDIA_TYPE', {}], type)
  }
})

test('a body without a type, or with two of them, is no JSON', async () => {
  const ada = await registered(app)
  const body = new URLSearchParams({ email: ada.email, password: ada.password }).toString()
  const address = await app.http.listen({ host: '127.0.0.1', port: 0 })
  const post = async (types: string[]) => {
    const headers = [
      'Host',
      'x',
      ...types.flatMap((type) => ['Content-Type', type]),
      'Content-Length',
      `${body.length}`,
    ]
    const sent = request(`${address}/auth/login`, { method: 'POST', headers }).end(body)
    const [reply] = await once(sent, 'response')
    reply.resume()
    return [reply.statusCode, reply.headers['set-cookie']]
  }
  const [form = '', json] = [formTypes[0], 'application/json']
  for (const types of [[], [form, json], [form.toUpperCase(), json], ['text/plain', form]])
    assert.deepEqual(await post(types), [415, undefined], `${types}`)
})

test('the development inbox and the metrics answer to this machine by its own names only', async () => {
  const from = '127.0.0.1'
  for (const url of ['/dev/inbox', '/dev/inbox.json', '/metrics']) {
    for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'localhost']) {
      assert.equal((await app.get(url, { from, headers: { host } })).status, 200, `${url} as ${host}`)
    }
    for (const host of ['rebind.evil.test:3000', '127.0.0.1.evil.test', 'localhost.evil.test']) {
      assert.equal((await app.get(url, { from, headers: { host } })).status, 404, `${url} as ${host}`)
    }
    for (const name of ['x-real-ip', 'forwarded', 'via', 'x-forwarded-host', 'true-client-ip']) {
      assert.equal((await app.get(url, { from, headers: { [name]: 'x' } })).status, 404, `${url} with ${name}`)
    }
  }
})

test('a body that claims to be compressed is refused', async () => {
  const ada = await registered(app)
  const credentials = { email: ada.email, password: ada.password }
  assert.equal((await app.post('/auth/login', credentials, { headers: { 'content-encoding': 'gzip' } })).status, 415)
})
