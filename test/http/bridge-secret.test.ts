import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { settingsSecrets } from '../../src/http/access/bridge-secret.ts'
import { registered } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { bridgeSecret as secret, startTestApp, type TestApp } from '../support/test-app.ts'
import { assertError, listen, ownRoutes } from './support.ts'

const second = 'second-Vt4nGq8XwLz2RmB7kYcP5sHd9JfUaE3o'
const third = 'third-9PqLw3XzVt7RmNb2KyCd5sHj8GfUaE4o'
const partner = 'https://partner.example.com'

let app: TestApp
let sessionToken: string
before(async () => {
  const env = {
    BRIDGE_SECRETS: `shop:${second},blog:${third}`,
    BRIDGE_ALLOWED_ORIGINS: partner,
    RATE_LIMIT_READ: '100000/1m',
  }
  app = await startTestApp({ env })
  sessionToken = (await registered(app)).sessionToken
})
after(() => app.stop())

/** A request to each back-end route that succeeds with the correct secret. */
const routes = [
  ['GET', '/auth/bridge/events'],
  ['POST', '/auth/bridge/validate'],
  ['GET', '/auth/user/me'],
] as const

/** These routes require a valid token or code, or a right for an application, so other tests check that they succeed. */
const spending = [
  ['GET', '/auth/token/validate'],
  ['POST', '/auth/token/validate'],
  ['POST', '/auth/bridge/redeem'],
  ['PUT', '/auth/bridge/permissions/:application'],
  ['PATCH', '/auth/bridge/permissions/:application'],
]

const call = (method: string, url: string, headers: Record<string, string | string[]>, more: object = {}) =>
  app.call(method, url, { headers: { 'x-session-id': sessionToken, ...headers }, ...more })

test('the table names all routes of back ends', () => {
  const withSecret = ownRoutes(app).filter(({ rule }) => rule.access.bridge === 'required')
  assert.deepEqual(withSecret.map(({ method, url }) => [method, url]).toSorted(), [...routes, ...spending].toSorted())
})

test('every configured secret opens, and no other value does', async () => {
  const before = await rowCounts(app)
  const wrong: Record<string, string> = {
    'an empty value': '',
    'a space': ' ',
    'the beginning': secret.slice(0, -1),
    'the end': secret.slice(1),
    'the secret and more': `${secret}x`,
    'the secret and a zero': `${secret}0`,
    'the secret twice': `${secret}${secret}`,
    'upper case': secret.toUpperCase(),
    'lower case': secret.toLowerCase(),
    'a space before': ` ${secret}`,
    'a space behind': `${secret} `,
    'a space inside': `${secret.slice(0, 10)} ${secret.slice(10)}`,
    'a scheme': `Bearer ${secret}`,
    quotes: `"${secret}"`,
    'two secrets': `${secret}, ${second}`,
    'name and value': `shop:${second}`,
    'the name': 'shop',
    'the name of the nameless one': 'default',
    'one kilobyte': secret.padEnd(1_024, 'x'),
    'a word of JavaScript': 'undefined',
    'letters beyond ASCII': 'é'.repeat(40),
  }
  for (const [method, url] of routes) {
    for (const value of [secret, second, third]) {
      assert.equal((await call(method, url, { 'x-bridge-secret': value })).status, 200, url)
    }
    for (const [what, value] of Object.entries(wrong)) {
      assertError(
        await call(method, url, { 'x-bridge-secret': value }),
        401,
        'BRIDGE_SECRET_REQUIRED',
        `${what} at ${url}`,
      )
    }
    assertError(await call(method, url, {}), 401, 'BRIDGE_SECRET_REQUIRED', `nothing at ${url}`)
    assertError(
      await call(method, url, { 'x-bridge-secret': [secret, secret] }),
      401,
      'BRIDGE_SECRET_REQUIRED',
      `a list at ${url}`,
    )
  }
  assert.deepEqual(await rowCounts(app), before)
  const failures = await auditOf(app, 'bridge_auth_fail')
  assert.equal(failures.length, routes.length * (Object.keys(wrong).length + 2))
})

test('a secret anywhere but in its header is none', async () => {
  for (const [method, url] of routes) {
    for (const reply of [
      await call(method, `${url}?bridge_secret=${secret}&x-bridge-secret=${secret}&X-Bridge-Secret=${secret}`, {}),
      await call(method, url, { authorization: `Bearer ${secret}` }),
      await call(method, url, { cookie: `x-bridge-secret=${secret}` }),
      await call(method, url, { 'bridge-secret': secret, 'x-bridge': secret }),
    ]) {
      assertError(reply, 401, 'BRIDGE_SECRET_REQUIRED', url)
    }
  }
  const inBody = { bridge_secret: secret, 'x-bridge-secret': secret, bridgeSecret: secret, session_id: sessionToken }
  assertError(await app.post('/auth/bridge/validate', inBody), 401, 'BRIDGE_SECRET_REQUIRED')
})

test('two header lines with one secret are not the secret', async () => {
  const send = await listen(app)
  const head = `POST /auth/bridge/validate?session_id=${sessionToken} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`
  assert.match(await send(`${head}X-Bridge-Secret: ${secret}\r\n\r\n`), /^HTTP\/1\.1 200 /)
  assert.match(
    await send(`${head}X-Bridge-Secret: ${secret}\r\nX-Bridge-Secret: ${secret}\r\n\r\n`),
    /^HTTP\/1\.1 401 /,
  )
})

test('a secret inside a browser is refused and reported, unless that very origin may hold it', async () => {
  const refused = [
    'https://app.example.com',
    'http://localhost:3000',
    'null',
    '',
    `${partner}/`,
    `${partner}.evil.example`,
    `http${partner.slice(5)}`,
  ]
  for (const [method, url] of routes) {
    for (const origin of refused) {
      const reply = await call(method, url, { 'x-bridge-secret': secret, origin })
      assertError(reply, 401, 'BRIDGE_SECRET_REQUIRED', origin)
      assert.match(reply.json.error, /page in a browser.*back end, or list .* in BRIDGE_ALLOWED_ORIGINS/, origin)
    }
    assert.equal((await call(method, url, { 'x-bridge-secret': secret, origin: partner })).status, 200)
    const runtime = { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'empty' }
    assert.equal(
      (await call(method, url, { 'x-bridge-secret': secret, ...runtime })).status,
      200,
      'as server runtimes send it',
    )
    for (const origin of [partner, ...refused]) {
      const reply = await call(method, url, { 'x-bridge-secret': 'wrong', origin }, { from: '203.0.113.200' })
      if (reply.status === 429) continue
      assertError(reply, 401, 'BRIDGE_SECRET_REQUIRED')
      assert.equal(reply.json.error, 'Invalid or missing bridge secret')
    }
  }
  const events = await auditOf(app, 'bridge_secret_from_browser')
  assert.equal(events.length, routes.length * refused.length)
})

test('20 wrong secrets in five minutes are refused, then all are limited, while the right one goes on', async () => {
  const from = '203.0.113.9'
  const before = (await auditOf(app, 'bridge_auth_fail')).length
  const attempts = Array.from({ length: 60 }, (_, index) =>
    call('POST', '/auth/bridge/validate', { 'x-bridge-secret': `guess-${index}` }, { from }),
  )
  const replies = await Promise.all(attempts)
  assert.equal(replies.filter(({ status }) => status === 401).length, 20)
  for (const reply of replies.filter(({ status }) => status !== 401)) assertError(reply, 429, 'RATE_LIMITED')
  assert.equal((await auditOf(app, 'bridge_auth_fail')).length, before + 20)
  for (const [method, url] of routes)
    assert.equal((await call(method, url, { 'x-bridge-secret': secret }, { from })).status, 200)
  assertError(await call('GET', '/auth/user/me', { 'x-bridge-secret': 'wrong' }, { from }), 429, 'RATE_LIMITED')
})

test('secrets of any configured length are compared whole', () => {
  const long = 'a'.repeat(499)
  const config = { BRIDGE_SECRET: long, BRIDGE_SECRETS: [{ name: 'shop', value: second }] }
  const find = settingsSecrets(config, () => ({ count: 0 }))
  const nameOf = (header: unknown) => find(header)?.name
  assert.equal(nameOf(long), 'default')
  assert.equal(nameOf(second), 'shop')
  for (const other of [
    `${long}a`,
    long.slice(1),
    `${long}\0`,
    `${second}\0`,
    `${long}${'a'.repeat(9)}`,
    'é'.repeat(507),
    undefined,
    null,
    [second],
    {},
  ]) {
    assert.equal(nameOf(other), undefined)
  }
})
