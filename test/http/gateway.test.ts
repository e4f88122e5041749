import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { newSessionToken } from '../../src/lib/ids.ts'
import { day, second } from '../../src/lib/time.ts'
import { encoded } from '../../src/sessions/gateway-headers.ts'
import { anyCharacter } from '../support/any-character.ts'
import { handedOver } from '../support/handover.ts'
import { registered, type SignedIn, withSession } from '../support/people.ts'
import { rowCounts } from '../support/rows.ts'
import { emailFactor, requireSecondFactor } from '../support/second-factor.ts'
import { useIsWritten } from '../support/session-use.ts'
import { bridgeSecret, type Reply, startTestApp, type TestApp } from '../support/test-app.ts'
import { assertError, listen } from './support.ts'

type Headers = Record<string, string | string[]>

const publicUrl = 'https://id.example.com'
let app: TestApp
let ada: SignedIn
before(async () => {
  app = await startTestApp({
    secondFactor: emailFactor,
    env: { PUBLIC_URL: publicUrl, CORS_ORIGINS: 'https://app.example.com', RATE_LIMIT_BRIDGE_FAIL: '1000/5m' },
  })
  ada = await registered(app, 'ada', { name: 'Ada', last_name: 'Lovelace' })
})
after(() => app.stop())

const verify = (headers: Headers = {}, { method = 'GET', url = '/auth/verify', body = undefined as unknown } = {}) =>
  app.call(method, url, {
    headers: { 'x-bridge-secret': bridgeSecret, ...headers },
    ...(body !== undefined && { body }),
  })
const byCookie = (sessionToken: string): Headers => ({ cookie: `theme=dark; session_id=${sessionToken}; other=1` })
const identityIn = ({ headers }: Reply): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('x-auth-')))
const assertNobody = (reply: Reply, about: string) => {
  assert.equal(reply.status, 401, `${about}: ${reply.text}`)
  const { 'x-auth-login': _login, ...identity } = identityIn(reply)
  assert.deepEqual(identity, {}, about)
  assert.deepEqual(reply.cookies, {}, about)
}

describe('a gateway that asks about a signed-in visitor', () => {
  test('is told who it is, by cookie or header, and by every method', async () => {
    const { json } = await app.get('/auth/validation', withSession(ada.sessionToken))
    const current = await app.get('/auth/session/current', withSession(ada.sessionToken))
    const expected = {
      'x-auth-user-id': ada.id,
      'x-auth-email': ada.email,
      'x-auth-email-verified': 'false',
      'x-auth-name': 'Ada%20Lovelace',
      'x-auth-user-type': 'customer',
      'x-auth-session-id': json.session.id,
      'x-auth-time': current.json.authenticated_at,
      'x-auth-methods': 'pwd',
    }
    const credentials: Headers[] = [
      byCookie(ada.sessionToken),
      { 'x-session-id': ada.sessionToken },
      { authorization: `Bearer ${ada.sessionToken}` },
    ]
    for (const credential of credentials) {
      for (const method of ['GET', 'HEAD', 'POST']) {
        const reply = await verify(credential, { method })
        assert.equal(reply.status, 200, method)
        assert.deepEqual(identityIn(reply), expected, method)
        assert.equal(reply.text, method === 'HEAD' ? '' : '{"success":true}')
      }
    }
  })

  test('is answered from memory, without a statement, and counts as use', async (t) => {
    const grace = await registered(app, 'grace')
    await verify(byCookie(grace.sessionToken))
    const statements = t.mock.method(app.ctx.db, 'executeQuery')
    assert.equal((await verify(byCookie(grace.sessionToken))).status, 200)
    assert.equal(statements.mock.callCount(), 0)
    statements.mock.restore()
    for (let days = 2; days <= 8; days += 2) {
      app.clock.advance(2 * day)
      assert.equal((await verify(byCookie(grace.sessionToken))).status, 200, `after ${days} days`)
      await useIsWritten(app, grace.id)
    }
  })

  test('is told whatever the visitor sends beside: origin, media type, encoding and body', async () => {
    ada = await registered(app, 'ada', { name: 'Ada', last_name: 'Lovelace' })
    const passedOn: Headers[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'https://app.example.com' },
      { origin: publicUrl, 'sec-fetch-site': 'cross-site' },
      { 'content-type': 'multipart/form-data; boundary=x' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'text/csv', 'content-encoding': 'gzip' },
      { 'content-encoding': 'br' },
      { 'content-type': 'application/json' },
    ]
    for (const headers of passedOn) {
      for (const [method, body] of [
        ['GET', undefined],
        ['POST', undefined],
        ['POST', 'not what it says'],
      ] as const) {
        const reply = await verify({ ...byCookie(ada.sessionToken), ...headers }, { method, body })
        assert.equal(reply.status, 200, `${method} ${JSON.stringify(headers)} ${reply.text}`)
        assert.equal(reply.headers['x-auth-user-id'], ada.id)
        assert.equal(reply.headers['access-control-allow-origin'], undefined)
      }
    }
  })

  test('has the headers of any other reply', async () => {
    const { headers } = await verify(byCookie(ada.sessionToken))
    assert.equal(headers['cache-control'], 'no-store')
    assert.ok(Number(headers['x-ratelimit-remaining']) > 0)
    assert.ok(headers['x-request-id'])
  })
})

describe('a visitor who is not signed in', () => {
  test('is nobody: without a session, with garbage, with an ended, expired or partial one', async () => {
    const gone = await registered(app)
    await verify(byCookie(gone.sessionToken))
    await app.post('/auth/logout', {}, withSession(gone.sessionToken))
    const half = await registered(app)
    await requireSecondFactor(app, half.id)
    const partial = (await app.post('/auth/login', { email: half.email, password: half.password })).json.sessionId
    const deleted = await registered(app)
    await sql`UPDATE users SET deleted_at = now() WHERE id = ${deleted.id}`.execute(app.ctx.db)
    const nobodies: Record<string, Headers> = {
      'no session': {},
      'an ended session': byCookie(gone.sessionToken),
      'a partial session': byCookie(partial),
      'a partial session in Authorization': { authorization: `Bearer ${partial}` },
      'a deleted user': byCookie(deleted.sessionToken),
      'an unknown session': byCookie(newSessionToken()),
      garbage: byCookie('ses_x'),
      'two different cookies': { cookie: `session_id=${ada.sessionToken}; session_id=${newSessionToken()}` },
      'an invalid header beside a valid cookie': { ...byCookie(ada.sessionToken), 'x-session-id': newSessionToken() },
      'another scheme': { authorization: `Basic ${ada.sessionToken}` },
      'identity of its own': { 'x-auth-user-id': ada.id, 'x-auth-email': ada.email },
    }
    for (const [about, headers] of Object.entries(nobodies)) {
      for (const method of ['GET', 'HEAD', 'POST']) assertNobody(await verify(headers, { method }), about)
      assertError(await verify(headers), 401, about.startsWith('a partial') ? 'TWO_FACTOR_REQUIRED' : 'INVALID_SESSION')
    }
    assertNobody(
      await verify({}, { url: `/auth/verify?session_id=${ada.sessionToken}` }),
      'an address that names a session',
    )
  })

  test('is nobody with the session of an application, unless the gateway names exactly that application', async () => {
    const handed = await handedOver(app, (await registered(app)).sessionToken, 'https://shop.example/callback')
    const at = (application: string, path = '/auth/verify') => ({
      url: `${path}?application=${encodeURIComponent(application)}`,
    })
    const others = ['', 'null', 'https://shop.example/', 'https://shop.example.evil.example', 'http://shop.example']
    const inMemory = [false, true]
    for (const isKnown of inMemory) {
      for (const credential of [byCookie(handed), { 'x-session-id': handed }, { authorization: `Bearer ${handed}` }]) {
        for (const method of ['GET', 'HEAD', 'POST'])
          assertNobody(await verify(credential, { method }), `${method}, in memory: ${isKnown}`)
        assertError(await verify(credential), 401, 'INVALID_SESSION')
      }
      for (const other of others) assertNobody(await verify(byCookie(handed), at(other)), other)
      const named = await verify(byCookie(handed), at('https://shop.example'))
      assert.deepEqual([named.status, named.headers['x-auth-methods']], [200, 'pwd'])
    }
    const visitors = at('https://shop.example', '/auth/verify/for/x')
    assertNobody(await verify(byCookie(handed), visitors), 'the query of the visitor')
    const twice = await verify(byCookie(handed), { url: `${at('https://shop.example').url}&application=x` })
    assert.notEqual(twice.status, 200)
    const browserOfAda = await verify(byCookie((await registered(app)).sessionToken), at('https://shop.example'))
    assert.equal(browserOfAda.status, 200, 'the session of a browser is good at every gateway that sees it')
  })

  test('leaves no trace in the audit or in the log', async () => {
    const before = [await rowCounts(app), app.logged()]
    for (let count = 0; count < 5; count++) await verify({ origin: 'https://evil.example', accept: 'text/html' })
    assert.deepEqual([await rowCounts(app), app.logged()], before)
  })

  test('is refused within the lifetime of a copy after any change of the rows', async () => {
    const grace = await registered(app, 'grace')
    assert.equal((await verify(byCookie(grace.sessionToken))).status, 200)
    await sql`UPDATE sessions SET status = 'revoked' WHERE user_id = ${grace.id}`.execute(app.ctx.db)
    app.clock.advance(6 * second)
    assertNobody(await verify(byCookie(grace.sessionToken)), 'revoked')
  })
})

describe('the sign-in URL for a visitor', () => {
  const page = { accept: 'text/html,application/xhtml+xml' }
  const original = 'https://app.example.com/reports?year=2026&q=a b'
  const told = {
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'app.example.com',
    'x-forwarded-uri': '/reports?year=2026&q=a%20b',
  }
  const login = `${publicUrl}/login?return_to=${encodeURIComponent('https://app.example.com/reports?year=2026&q=a%20b')}`

  test('is sent with 401, and is the target if the gateway asks for a redirect', async () => {
    for (const named of [told, { 'x-original-url': original }] as Headers[]) {
      const refused = await verify({ ...page, ...named })
      assertNobody(refused, 'named')
      assert.equal(refused.headers['x-auth-login'], login)
      assert.equal(refused.headers.location, undefined)
      for (const redirected of [
        await verify({ ...page, ...named, 'x-auth-redirect': 'true' }),
        await verify({ ...page, ...named }, { url: '/auth/verify?redirect=true' }),
      ]) {
        assert.equal(redirected.status, 302)
        assert.equal(redirected.headers.location, login)
        assert.equal(redirected.headers['cache-control'], 'no-store')
      }
    }
  })

  test('is sent only to visitors who open a page', async () => {
    const asked = { ...told, 'x-auth-redirect': 'true' }
    const goes: Headers[] = [page, { 'sec-fetch-mode': 'navigate' }, { ...page, 'x-forwarded-method': 'GET' }]
    const stays: Headers[] = [
      {},
      { accept: '*/*' },
      { accept: 'application/json' },
      { ...page, 'sec-fetch-mode': 'cors' },
      { ...page, 'sec-fetch-mode': 'no-cors' },
      { ...page, 'x-forwarded-method': 'POST' },
      { ...page, 'x-original-method': 'DELETE' },
    ]
    for (const headers of goes)
      assert.equal((await verify({ ...asked, ...headers })).status, 302, JSON.stringify(headers))
    for (const headers of stays) {
      const reply = await verify({ ...asked, ...headers })
      assertNobody(reply, JSON.stringify(headers))
      assert.equal(reply.headers['x-auth-login'], undefined)
    }
    assertNobody(await verify({ ...asked, ...page }, { method: 'POST' }), 'POST')
  })

  test('is always the sign-in page of this service, whatever the address', async () => {
    const hostile = [
      'javascript:alert(1)',
      'data:text/html,x',
      '//evil.example',
      'not an address',
      `https://app.example.com/${'x'.repeat(3_000)}`,
      'https://app.example.com/\u00e9\u00ff',
      'https://a@evil.example/&code=1#x',
    ]
    for (const address of hostile) {
      const reply = await verify({ ...page, 'x-original-url': address, 'x-auth-redirect': 'true' })
      assert.equal(reply.status, 302)
      const target = new URL(String(reply.headers.location))
      assert.equal(target.origin + target.pathname, `${publicUrl}/login`)
      assert.deepEqual(
        [...target.searchParams.keys()].filter((name) => name !== 'return_to'),
        [],
      )
      assert.equal(target.hash, '')
      const returnTo = target.searchParams.get('return_to')
      assert.ok(returnTo === null || /^https?:\/\//.test(returnTo), `${returnTo}`)
    }
    const bad = await verify({ ...page, 'x-forwarded-host': 'a, b', 'x-forwarded-uri': '/', 'x-auth-redirect': 'true' })
    assert.equal(bad.headers.location, `${publicUrl}/login`)
  })

  test('comes from the request line where a gateway puts a prefix before the path', async () => {
    const asked = { ...page, host: 'app.example.com', 'x-forwarded-proto': 'https', 'x-auth-redirect': 'true' }
    const paths = ['', '/', '/reports', '/reports/', '/a?x=1&x=2&session_id=s&redirect=false', '/%2Fx', '/a%00b?%00']
    for (const path of paths) {
      const url = `/auth/verify/for${path}`
      const reply = await verify(asked, { url })
      assert.equal(reply.status, 302, `${path} ${reply.text}`)
      const returnTo = new URL(String(reply.headers.location)).searchParams.get('return_to')
      assert.equal(returnTo, path === '' ? null : new URL(`https://app.example.com${path}`).href)
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        assert.equal((await verify(byCookie(ada.sessionToken), { method, url })).status, 200, `${method} ${path}`)
        const anonymous = await verify({ ...told, accept: '*/*' }, { method, url })
        assertNobody(anonymous, `${method} ${path}`)
      }
    }
    const scripted = await verify({ ...asked, 'x-auth-redirect': [] }, { url: '/auth/verify/for/x?redirect=true' })
    assert.equal(scripted.status, 401, 'the query is that of the visitor')
  })
})

describe('a caller without the bridge secret', () => {
  test('learns nothing at any path with any method', async () => {
    for (const url of ['/auth/verify', '/auth/verify/for/x'])
      for (const secret of ['', 'wrong', ` ${bridgeSecret}`])
        for (const method of ['GET', 'POST']) {
          const reply = await verify({ ...byCookie(ada.sessionToken), 'x-bridge-secret': secret }, { method, url })
          assertError(reply, 401, 'BRIDGE_SECRET_REQUIRED')
          assert.deepEqual(identityIn(reply), {})
        }
    const inQuery = await app.get(`/auth/verify?x-bridge-secret=${bridgeSecret}`, {
      headers: byCookie(ada.sessionToken),
    })
    assertError(inQuery, 401, 'BRIDGE_SECRET_REQUIRED')
  })

  test('is told nothing by OPTIONS either, whose 200 would let a request in', async () => {
    for (const path of ['/auth/verify', '/auth/verify/', '/auth/verify/for/', '/auth/verify?redirect=true']) {
      const ask = (headers: Headers) => app.call('OPTIONS', path, { headers })
      for (const origin of [{}, { origin: publicUrl }, { origin: 'https://app.example.com' }] as Headers[]) {
        const preflight = { ...origin, 'access-control-request-method': 'GET' }
        for (const headers of [origin, preflight])
          assertError(await ask({ ...byCookie(ada.sessionToken), ...headers }), 401, 'BRIDGE_SECRET_REQUIRED')
        assertNobody(await ask({ 'x-bridge-secret': bridgeSecret, ...preflight }), path)
      }
      assert.equal((await ask({ 'x-bridge-secret': bridgeSecret, ...byCookie(ada.sessionToken) })).status, 200)
    }
  })

  test('cannot read a reply with a page of an allowed origin, refused or not', async () => {
    for (const headers of [byCookie(ada.sessionToken), {}, { 'x-bridge-secret': 'wrong' }] as Headers[]) {
      const reply = await verify({ ...headers, origin: 'https://app.example.com' })
      assert.deepEqual(
        Object.keys(reply.headers).filter((name) => name.startsWith('access-control-')),
        [],
      )
    }
  })
})

describe('the values of the headers', () => {
  test('encode every mark that separates values or members', () => {
    assert.equal(encoded(',;/?:&=+$#'), '%2C%3B%2F%3F%3A%26%3D%2B%24%23')
  })

  test('are what was encoded, and hold nothing that a header, a list or a decoder could take otherwise', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
        const value = encoded(text)
        assert.match(value, /^[A-Za-z0-9\-._~@%]*$/)
        assert.equal(decodeURIComponent(value), text.toWellFormed())
        assert.equal(new URLSearchParams(`v=${value}`).get('v'), text.toWellFormed(), 'as a form decoder reads it')
      }),
    )
  })

  test('hold whatever users call themselves, on the wire', async () => {
    const send = await listen(app)
    const names = [
      'Zoë "Z" Ångström',
      'a\r\nX-Auth-User-Type: admin',
      '漢字 😀',
      "O'Brien, (x) *!+%20",
      '\u2028\u0085\u007f',
    ]
    for (const name of names) {
      const { sessionToken, id } = await registered(app)
      await sql`UPDATE users SET display_name = ${name} WHERE id = ${id}`.execute(app.ctx.db)
      const answer = await send(
        `GET /auth/verify HTTP/1.1\r\nHost: id.example.com\r\nConnection: close\r\nX-Bridge-Secret: ${bridgeSecret}\r\nCookie: session_id=${sessionToken}\r\n\r\n`,
      )
      const lines = answer.split('\r\n\r\n')[0]!.split('\r\n')
      const values = (header: string) => lines.filter((line) => line.toLowerCase().startsWith(`${header}:`))
      assert.equal(values('x-auth-user-type').length, 1)
      assert.deepEqual(values('x-auth-user-type'), ['x-auth-user-type: customer'])
      assert.equal(decodeURIComponent(values('x-auth-name')[0]!.slice('x-auth-name: '.length)), name)
    }
  })
})
