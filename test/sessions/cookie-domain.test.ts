import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { signInAt } from '../screens/flow-support.ts'
import { handedOver } from '../support/handover.ts'
import { registered, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { type Reply, startTestApp, type TestApp } from '../support/test-app.ts'

const publicUrl = 'https://id.example.com'

let app: TestApp
before(async () => {
  app = await startTestApp({
    env: {
      PUBLIC_URL: publicUrl,
      SESSION_COOKIE_DOMAIN: 'example.com',
      ALLOWED_REDIRECTS: 'https://app.example.com',
    },
  })
})
after(() => app.stop())

const own = 'Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure'

/** A response's `Set-Cookie` lines for the session cookie. */
const cookieLines = ({ headers }: Reply): string[] =>
  [headers['set-cookie'] ?? []].flat().filter((line) => line.startsWith('session_id='))

function assertShared(reply: Reply, sessionToken: string, where: string): void {
  const [hostOnly, shared, ...more] = cookieLines(reply)
  assert.equal(hostOnly, `session_id=; ${own}`, where)
  assert.match(
    shared ?? '',
    new RegExp(
      `^session_id=${sessionToken}; Domain=example\\.com; Path=/; Max-Age=[1-9]\\d+; HttpOnly; SameSite=Lax; Secure$`,
    ),
    where,
  )
  assert.deepEqual(more, [], where)
}

const cleared = [`session_id=; ${own}`, `session_id=; Domain=example.com; ${own}`]

test('a sign-in and a refresh set the cookie for the domain, and remove the one of the host', async () => {
  const ada = await registered(app)
  const login = await app.post('/auth/login', { email: ada.email, password: ada.password })
  assertShared(login, login.json.sessionId, 'login')
  const refreshed = await app.post('/auth/refresh', {}, withSession(ada.sessionToken))
  assertShared(refreshed, ada.sessionToken, 'refresh')
})

test("an application's session never becomes the browser's session", async () => {
  const ada = await registered(app)
  const shop = await handedOver(app, ada.sessionToken, 'https://app.example.com/')
  for (const carried of [withSession(shop), { headers: { cookie: `session_id=${shop}` } }]) {
    const refreshed = await app.post('/auth/refresh', {}, carried)
    assert.equal(refreshed.status, 200)
    assert.deepEqual(cookieLines(refreshed), [])
  }
  const address = `/login?return_to=${encodeURIComponent('https://app.example.com/orders')}`
  const own = await app.get(address, { headers: { cookie: `session_id=${ada.sessionToken}` } })
  assert.match(String(own.headers.location), /^https:\/\/app\.example\.com\/orders/)
  assertShared(own, ada.sessionToken, 'login with the own session')
  const foreign = await app.get(address, { headers: { cookie: `session_id=${shop}` } })
  assert.match(String(foreign.headers.location), /^\/login\?flow=/)
  assert.deepEqual(cookieLines(foreign), [])
})

test('other cookies stay those of the host', async () => {
  const ada = await registered(app)
  const login = await app.post('/auth/login', { email: ada.email, password: ada.password })
  const others = [login.headers['set-cookie'] ?? []].flat().filter((line) => !line.startsWith('session_id='))
  assert.ok(others.length > 0)
  assert.doesNotMatch(others.join('\n'), /Domain/i)
})

test('signing out, the end of the own session, and a rejection clear both', async () => {
  const [ada, bob] = [await registered(app), await registered(app)]
  const cookie = (sessionToken: string) => ({ headers: { cookie: `session_id=${sessionToken}` } })
  assert.deepEqual(cookieLines(await app.post('/auth/logout', {}, cookie(ada.sessionToken))), cleared)
  const { json } = await app.get('/auth/sessions', cookie(bob.sessionToken))
  const ended = await app.call('DELETE', `/auth/sessions/${json.data.sessions[0].id}`, cookie(bob.sessionToken))
  assert.equal(ended.status, 200, ended.text)
  assert.deepEqual(cookieLines(ended), cleared)
  const refused = await app.get('/auth/me', cookie(ada.sessionToken))
  assert.equal(refused.status, 401)
  assert.deepEqual(cookieLines(refused), cleared)
})

test('two different cookies are nobody; the reply removes that of the host, and the next request is right', async () => {
  const [ada, bob] = [await registered(app), await registered(app)]
  for (const cookie of [
    `session_id=${bob.sessionToken}; session_id=${ada.sessionToken}`,
    `session_id=${ada.sessionToken}; session_id=${bob.sessionToken}`,
    `session_id=left over; session_id=${ada.sessionToken}`,
  ]) {
    const reply = await app.get('/auth/me', { headers: { cookie } })
    assert.equal(reply.status, 401, cookie)
    const others = [`session_id=; ${own}`, `session_id=; Domain=id.example.com; ${own}`]
    assert.deepEqual(cookieLines(reply), others, cookie)
  }
  const same = { headers: { cookie: `session_id=${ada.sessionToken}; session_id=${ada.sessionToken}` } }
  assert.equal((await app.get('/auth/me', same)).json.user.email, ada.email)
})

test('signing out with two different cookies ends both sessions', async () => {
  const sessions = [await registered(app), await registered(app)]
  const cookie = ['junk', ...sessions.map(({ sessionToken }) => sessionToken)]
    .map((value) => `session_id=${value}`)
    .join('; ')
  const foreign = { headers: { cookie, origin: 'https://app.example.com' } }
  assert.equal((await app.post('/auth/logout', {}, foreign)).status, 403)
  const isAlive = async ({ sessionToken }: { sessionToken: string }) =>
    (await app.get('/auth/me', withSession(sessionToken))).status === 200
  assert.deepEqual(await Promise.all(sessions.map(isAlive)), [true, true])
  const reply = await app.post('/auth/logout', {}, { headers: { cookie } })
  assert.equal(reply.status, 200, reply.text)
  assert.deepEqual(await Promise.all(sessions.map(isAlive)), [false, false])
  const ended = await auditOf(app, 'session_ended')
  assert.equal(ended.filter(({ target_id }) => target_id === sessions[1]?.id).length, 1)
  assert.equal((await app.post('/auth/logout', {}, { headers: { cookie } })).status, 401)
})

test('who has a cookie from before the domain was set gets the shared one on the way back', async () => {
  const ada = await registered(app)
  const returnTo = 'https://app.example.com/private'
  const reply = await app.get(signInAt({ return_to: returnTo }), {
    headers: { cookie: `session_id=${ada.sessionToken}`, accept: 'text/html' },
  })
  assert.equal(reply.headers.location, returnTo)
  assertShared(reply, ada.sessionToken, 'return')
})

test('a page of a neighbouring host changes nothing with the cookie', async () => {
  const ada = await registered(app)
  for (const from of [{ origin: 'https://app.example.com' }, { 'sec-fetch-site': 'same-site' }]) {
    const reply = await app.post(
      '/auth/refresh',
      {},
      { headers: { ...from, cookie: `session_id=${ada.sessionToken}` } },
    )
    assert.equal(reply.status, 403, reply.text)
    assert.equal(reply.json.code, 'CSRF_REJECTED')
    assert.deepEqual(cookieLines(reply), [])
  }
})

test('without the setting the cookie has no domain', async () => {
  const plain = await startTestApp({ env: { PUBLIC_URL: publicUrl, ALLOWED_REDIRECTS: 'https://app.example.com' } })
  try {
    const ada = await registered(plain)
    // Another host set the second cookie for the parent domain. The service clears that cookie and keeps its own.
    const tossed = await plain.get('/auth/me', {
      headers: { cookie: `session_id=${ada.sessionToken}; session_id=other` },
    })
    assert.equal(tossed.status, 401)
    assert.deepEqual(cookieLines(tossed), [`session_id=; Domain=example.com; ${own}`])
    const login = await plain.post('/auth/login', { email: ada.email, password: ada.password })
    assert.equal(cookieLines(login).length, 1)
    assert.doesNotMatch(cookieLines(login)[0] ?? '', /Domain/i)
    const back = await plain.get(signInAt({ return_to: 'https://app.example.com/' }), {
      headers: { cookie: `session_id=${ada.sessionToken}`, accept: 'text/html' },
    })
    assert.equal(back.headers.location, 'https://app.example.com/')
    assert.deepEqual(cookieLines(back), [])
  } finally {
    await plain.stop()
  }
})
