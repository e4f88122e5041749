import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { person, registered } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { emailFactor, requireSecondFactor } from '../support/second-factor.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { allowed, foreign, originSettings } from './origin-lists.ts'
import { assertError } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: originSettings, secondFactor: emailFactor })
})
after(() => app.stop())

/** Routes that use the session from the cookie. */
const acting = ['/auth/refresh', '/auth/invalidate/me', '/auth/logout', '/auth/validation', '/auth/resend-verification']

const fromElsewhere: Record<string, string>[] = [
  ...foreign.map((origin) => ({ origin })),
  { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  { origin: 'null', 'sec-fetch-site': 'none' },
  ...['cross-site', 'same-site', 'Same-Origin', '', 'x', 'same-origin, cross-site'].map((site) => ({
    'sec-fetch-site': site,
  })),
]
const fromHome: Record<string, string>[] = [
  {},
  ...allowed.map((origin) => ({ origin })),
  { origin: 'https://other.example.net', 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'none' },
]

test('the cookie alone is no credential for a page of somebody else: 403, an event, and nothing happens', async () => {
  const { sessionToken, id } = await registered(app)
  const before = { rows: await rowCounts(app), events: (await auditOf(app, 'csrf_rejected')).length }
  for (const url of acting) {
    for (const headers of fromElsewhere) {
      const reply = await app.call('POST', url, { headers: { ...headers, cookie: `session_id=${sessionToken}` } })
      assertError(reply, 403, 'CSRF_REJECTED', `${url} ${JSON.stringify(headers)}`)
      assert.deepEqual(reply.cookies, {})
    }
  }
  const events = (await auditOf(app, 'csrf_rejected')).slice(before.events)
  assert.equal(events.length, acting.length * fromElsewhere.length)
  assert.ok(
    events.every(
      ({ outcome, ...row }) => outcome === 'failure' && (row as unknown as { actor_id: string }).actor_id === id,
    ),
  )
  assert.deepEqual(await rowCounts(app), before.rows)
  assert.equal((await app.get('/auth/validation', { headers: { cookie: `session_id=${sessionToken}` } })).status, 200)
})

test('pages of our own, and callers without a browser, act with the cookie', async () => {
  for (const headers of fromHome) {
    const { sessionToken } = await registered(app)
    for (const url of acting.toSorted((left) => (left === '/auth/logout' ? 1 : -1))) {
      const { status, text } = await app.call('POST', url, {
        headers: { ...headers, cookie: `session_id=${sessionToken}` },
      })
      assert.equal(status, 200, `${url} ${JSON.stringify(headers)} ${text}`)
    }
  }
})

test('a partial session in a cookie is guarded in the same way', async () => {
  const ada = await registered(app)
  await requireSecondFactor(app, ada.id)
  const { json } = await app.post('/auth/login', { email: ada.email, password: ada.password })
  const cookie = `session_id=${json.sessionId}`
  assertError(
    await app.call('POST', '/auth/logout', { headers: { cookie, origin: 'https://evil.example' } }),
    403,
    'CSRF_REJECTED',
  )
  assert.equal((await app.call('POST', '/auth/logout', { headers: { cookie } })).status, 200)
})

test('reading, and credentials that no browser adds by itself, are not asked where they come from', async () => {
  const { sessionToken } = await registered(app)
  const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  for (const method of ['GET', 'HEAD']) {
    assert.equal(
      (await app.call(method, '/auth/me', { headers: { ...evil, cookie: `session_id=${sessionToken}` } })).status,
      200,
    )
  }
  const cookie = `session_id=${sessionToken}`
  assert.equal(
    (await app.call('POST', '/auth/refresh', { headers: { ...evil, cookie, 'x-session-id': sessionToken } })).status,
    200,
  )
  assert.equal(
    (await app.call('POST', `/auth/refresh?session_id=${sessionToken}`, { headers: { ...evil, cookie } })).status,
    200,
  )
  assert.equal(
    (await app.call('POST', '/auth/validation', { headers: evil, body: { session_id: sessionToken } })).status,
    200,
  )
})

test('a foreign form cannot sign a browser in or out of an account: what sets a cookie takes JSON only', async () => {
  const ada = await registered(app)
  const forms = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain']
  const body = (members: object, type: string): string =>
    type.includes('urlencoded') ? new URLSearchParams({ ...members }).toString() : JSON.stringify(members)
  for (const type of forms) {
    for (const [url, members] of [
      ['/auth/login', { email: ada.email, password: ada.password }],
      ['/auth/register', person()],
      ['/auth/register/public', person()],
      ['/auth/setup', { token: 'x', email: ada.email, password: ada.password }],
    ] as const) {
      const reply = await app.post(url, body(members, type), { headers: { 'content-type': type } })
      assertError(reply, 415, 'UNSUPPORTED_MEDIA_TYPE', `${url} as ${type}`)
      assert.deepEqual(reply.cookies, {})
    }
  }
})
