import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newSessionToken } from '../../src/lib/ids.ts'
import { registered, type SignedIn } from '../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'
import { assertError, everyCredential, ownRoutes } from './support.ts'

let app: TestApp
let withoutQuery: TestApp
let headers: Record<string, string>
before(async () => {
  app = await startTestApp()
  withoutQuery = await startTestApp({ env: { ALLOW_QUERY_SESSION: 'false' } })
  headers = await everyCredential(app)
})
after(() => Promise.all([app, withoutQuery].map((one) => one?.stop())))

const crowd = Array.from({ length: 1_100 }, (_, index) => `k${index}`).join('&')
const refused: Record<string, { query: string; field: string }> = {
  'a name twice': { query: 'q=1&q=2', field: 'q' },
  'a name twice with one value': { query: 'session_id=x&session_id=x', field: 'session_id' },
  'a name twice, once encoded': { query: 'token=1&%74oken=2', field: 'token' },
  'a name twice behind a crowd of others': { query: `a=1&${crowd}&a=2`, field: 'a' },
  'a name with brackets twice': { query: 'q[]=1&q[]=2', field: 'q[]' },
  'U+0000 in a value': { query: 'q=a%00b', field: 'q' },
  'U+0000 in a name': { query: 'q%00=1', field: 'q' },
}

test('a repeated name or a zero character in the address is refused on every route', async () => {
  for (const { method, url } of ownRoutes(app)) {
    for (const [wrong, { query, field }] of Object.entries(refused)) {
      const details = assertError(
        await app.call(method, `${url}?${query}`, { headers }),
        400,
        'VALIDATION_ERROR',
        `${url} with ${wrong}`,
      )
      assert.deepEqual(
        details.map((problem) => problem.field),
        [field],
        `${url} with ${wrong}`,
      )
    }
  }
})

test('an address of more than 8 kB is refused on every route, and one of 8 kB is not', async () => {
  const padded = (url: string, length: number): string => `${url}?pad=`.padEnd(length, 'x')
  for (const { method, url } of ownRoutes(app)) {
    const details = assertError(await app.call(method, padded(url, 8_193), { headers }), 400, 'VALIDATION_ERROR', url)
    assert.deepEqual(details, [{ field: 'url', message: 'must have at most 8192 characters' }])
  }
  assert.equal((await app.get(padded('/health', 8_192))).status, 200)
})

test('brackets and odd names are plain names of nothing', async () => {
  for (const query of [
    'q[$ne]=',
    'limit[]=1',
    'session_id[]=x',
    '__proto__[polluted]=1',
    '__proto__=1',
    'constructor=1',
    '&&=&',
    '%=%zz&%ff=%ff',
  ]) {
    assert.equal((await app.get(`/health?${query}`)).status, 200, query)
  }
  for (const query of ['token[$ne]=', 'token[]=x', 'Token=x', '%2574oken=x']) {
    const details = assertError(await app.get(`/auth/token/verify?${query}`), 400, 'VALIDATION_ERROR', query)
    assert.deepEqual(details, [{ field: 'token', message: 'is required' }])
  }
  assert.equal('polluted' in {}, false)
})

test('what a query member may hold is checked, and both spellings with different values are refused', async () => {
  const format = assertError(await app.get('/auth/token/verify?token=x&format=xml'), 400, 'VALIDATION_ERROR')
  assert.deepEqual(format, [{ field: 'format', message: 'must be "json"' }])
  const { sessionToken } = await registered(app)
  const twice = await app.get(`/auth/validation?session_id=${sessionToken}&sessionId=${newSessionToken()}`)
  assert.deepEqual(
    assertError(twice, 400, 'VALIDATION_ERROR').map(({ field }) => field),
    ['session_id'],
  )
})

type Place = 'header' | 'query' | 'cookie'

/** A request with a session token in each of these places. */
function carrying(places: Partial<Record<Place, string>>): [string, { headers: Record<string, string> }] {
  const { header, query, cookie } = places
  const sent = {
    ...(header !== undefined && { 'x-session-id': header }),
    ...(cookie !== undefined && { cookie: `session_id=${cookie}` }),
  }
  return [query === undefined ? '/auth/validation' : `/auth/validation?session_id=${query}`, { headers: sent }]
}

const people = async (): Promise<[SignedIn, SignedIn, SignedIn]> => [
  await registered(app),
  await registered(app),
  await registered(app),
]

test('the header comes before the query, and the query before the cookie', async () => {
  const [ada, grace, alan] = await people()
  for (const [places, owner] of [
    [{ header: ada.sessionToken, query: grace.sessionToken, cookie: alan.sessionToken }, ada],
    [{ query: grace.sessionToken, cookie: alan.sessionToken }, grace],
    [{ cookie: alan.sessionToken }, alan],
    [{ header: '', query: '', cookie: alan.sessionToken }, alan],
    [{ header: '', query: grace.sessionToken, cookie: '' }, grace],
  ] as const) {
    const { status, json } = await app.get(...carrying(places))
    assert.equal(status, 200)
    assert.equal(json.user.id, owner.id, JSON.stringify(places))
  }
})

test('the first credential decides also when it is invalid: there is no fallback, and the cookie stays', async () => {
  const { sessionToken } = await registered(app)
  for (const wrong of [
    newSessionToken(),
    'x',
    `${sessionToken} `.repeat(2),
    sessionToken.toUpperCase(),
    sessionToken.slice(0, -1),
    `${sessionToken}x`,
    ' ',
    'null',
    'undefined',
  ]) {
    for (const places of [
      { header: wrong, cookie: sessionToken },
      { query: encodeURIComponent(wrong), cookie: sessionToken },
      { header: wrong, query: sessionToken },
    ]) {
      const reply = await app.get(...carrying(places))
      assertError(reply, 401, 'INVALID_SESSION', JSON.stringify(places))
      assert.deepEqual(reply.cookies, {}, JSON.stringify(places))
    }
  }
})

test('two different session cookies are none, and one cookie twice is one', async () => {
  const [ada, grace] = await people()
  const withCookies = (...values: string[]) =>
    app.get('/auth/validation', { headers: { cookie: values.map((one) => `session_id=${one}`).join('; ') } })
  assertError(await withCookies(ada.sessionToken, grace.sessionToken), 401, 'INVALID_SESSION')
  assertError(await withCookies(ada.sessionToken, 'x'), 401, 'INVALID_SESSION')
  assertError(await withCookies('', ada.sessionToken), 401, 'INVALID_SESSION')
  assert.equal((await withCookies(ada.sessionToken, ada.sessionToken)).json.user.id, ada.id)
  assert.equal((await withCookies(`"${ada.sessionToken}"`)).json.user.id, ada.id)
})

test('other names and places carry no session', async () => {
  const { sessionToken } = await registered(app)
  const elsewhere = [
    { authorization: sessionToken },
    { authorization: `Basic ${sessionToken}` },
    { cookie: `Session_id=${sessionToken}` },
    { cookie: `xsession_id=${sessionToken}` },
    { cookie: `__Host-session_id=${sessionToken}` },
    { 'x-session': sessionToken },
    { 'session-id': sessionToken },
  ]
  for (const sent of elsewhere)
    assertError(await app.get('/auth/validation', { headers: sent }), 401, 'INVALID_SESSION', JSON.stringify(sent))
  assertError(await app.post('/auth/refresh', { session_id: sessionToken }), 401, 'INVALID_SESSION')
  assertError(await app.get(`/auth/validation?SESSION_ID=${sessionToken}`), 401, 'INVALID_SESSION')
})

test('with ALLOW_QUERY_SESSION=false the query is no credential anywhere, and the next place counts', async () => {
  const { sessionToken } = await registered(withoutQuery)
  assertError(await withoutQuery.get(`/auth/validation?session_id=${sessionToken}`), 401, 'INVALID_SESSION')
  assertError(await withoutQuery.call('POST', `/auth/logout?session_id=${sessionToken}`), 401, 'INVALID_SESSION')
  const byCookie = await withoutQuery.get('/auth/validation?session_id=x', {
    headers: { cookie: `session_id=${sessionToken}` },
  })
  assert.equal(byCookie.status, 200)
  const secret = { headers: { 'x-bridge-secret': bridgeSecret } }
  const byBridge = await withoutQuery.call('POST', `/auth/bridge/validate?session_id=${sessionToken}`, secret)
  assert.deepEqual(
    assertError(byBridge, 400, 'VALIDATION_ERROR').map(({ field }) => field),
    ['session_id'],
  )
})
