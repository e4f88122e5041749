import assert from 'node:assert/strict'
import { test } from 'node:test'
import { application, appUrl, browserRequest, otherToken, sessionToken } from './support.ts'

const cookie = `__Host-wardenry_session=${sessionToken}`
const own = { cookie, origin: appUrl }

test('ends the session at the service, removes the cookie and comes back', async () => {
  const { wardenry, asked } = application()
  const reply = await wardenry.signOut(browserRequest('/sign-out', own, 'POST'), { returnTo: '/bye' })
  assert.equal(asked[0]?.path, '/auth/logout')
  assert.equal(asked[0]?.search, '?scope=sign_in')
  assert.equal(asked[0]?.headers.get('x-session-id'), sessionToken)
  assert.equal(reply.status, 303)
  assert.equal(reply.headers.get('location'), `${appUrl}/bye`)
  assert.deepEqual(reply.headers.getSetCookie(), [
    '__Host-wardenry_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
  ])
})

test('a script gets JSON, and a session that had ended is as good as ended', async () => {
  const { wardenry, answers } = application()
  answers['/auth/logout'] = [401, { success: false, code: 'INVALID_SESSION' }]
  const request = browserRequest('/sign-out', { ...own, accept: '*/*', 'sec-fetch-mode': 'cors' }, 'POST')
  const reply = await wardenry.signOut(request)
  assert.deepEqual(await reply.json(), { success: true })
  assert.equal(reply.headers.getSetCookie().length, 1)
})

const named = (name: string, ...tokens: string[]) => tokens.map((token) => `${name}=${token}`).join('; ')
const tokenOf = (letter: string) => `ses_${letter.repeat(43)}`

for (const [session, address, name] of [
  ['shared', appUrl, 'session_id'],
  ['own', 'http://127.0.0.1:4000', 'wardenry_session'],
] as const) {
  test(`${session}: two different cookies are two sessions to end`, async () => {
    const { wardenry, asked, answers } = application({ session, appUrl: address })
    const headers = { cookie: named(name, sessionToken, otherToken, sessionToken, 'x'), origin: address }
    const reply = await wardenry.signOut(browserRequest('/sign-out', headers, 'POST'))
    assert.deepEqual(asked.map(({ headers }) => headers.get('x-session-id')).sort(), [sessionToken, otherToken])
    assert.equal(reply.status, 303)
    assert.equal(reply.headers.getSetCookie().length, 1)
    answers['/auth/logout'] = [429, { success: false, code: 'RATE_LIMITED' }]
    assert.equal((await wardenry.signOut(browserRequest('/sign-out', headers, 'POST'))).status, 503)
  })
}

test('more sessions than anybody has are refused, and nobody reads that they are signed out', async () => {
  const { wardenry, asked } = application({ session: 'shared' })
  const signOut = (tokens: string[]) => {
    const headers = { cookie: named('session_id', ...tokens), origin: appUrl, accept: '*/*', 'sec-fetch-mode': 'cors' }
    return wardenry.signOut(browserRequest('/sign-out', headers, 'POST'))
  }
  const reply = await signOut([...'abcdef'].map(tokenOf))
  assert.equal(reply.status, 400)
  assert.equal(((await reply.json()) as { code: string }).code, 'AMBIGUOUS_SESSION')
  assert.deepEqual(reply.headers.getSetCookie(), [])
  assert.deepEqual(asked, [])
  assert.equal((await signOut([...'abcde'].map(tokenOf))).status, 200)
  assert.equal(asked.length, 5)
})

test('different headers are sessions to end, and the cookie of another session stays', async () => {
  const { wardenry, asked } = application()
  const headers = { cookie, 'x-session-id': otherToken, authorization: `Bearer ${tokenOf('c')}` }
  const reply = await wardenry.signOut(new Request(`${appUrl}/sign-out`, { method: 'POST', headers }))
  assert.deepEqual(
    asked.map(({ headers }) => headers.get('x-session-id')),
    [otherToken, tokenOf('c')],
  )
  assert.equal(reply.status, 200)
  assert.deepEqual(reply.headers.getSetCookie(), [])
})

test('the service clears a shared cookie, whose domain it knows, and sets no other', async () => {
  const cleared = 'session_id=; Domain=shop.example; Path=/; Max-Age=0'
  for (const session of ['shared', 'own'] as const) {
    const answer = Response.json({ success: true })
    for (const line of [cleared, `session_id=${otherToken}; Path=/`, 'other=; Max-Age=0'])
      answer.headers.append('set-cookie', line)
    const { wardenry } = application({ session, fetch: async () => answer })
    const name = session === 'shared' ? 'session_id' : '__Host-wardenry_session'
    const headers = { cookie: named(name, sessionToken), origin: appUrl }
    const reply = await wardenry.signOut(browserRequest('/sign-out', headers, 'POST'))
    const [, ...others] = reply.headers.getSetCookie()
    assert.deepEqual(others, session === 'shared' ? [cleared] : [])
  }
})

const refused: Record<string, [method: string, headers: Record<string, string>, status: number]> = {
  'a link': ['GET', own, 405],
  'a form of another site': ['POST', { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 403],
  'a form of a neighbour': ['POST', { cookie, origin: 'https://a.shop.example', 'sec-fetch-site': 'same-site' }, 403],
}
for (const [name, [method, headers, status]] of Object.entries(refused)) {
  test(`${name} signs nobody out`, async () => {
    const { wardenry, asked } = application()
    const reply = await wardenry.signOut(browserRequest('/sign-out', headers, method))
    assert.equal(reply.status, status)
    assert.deepEqual(asked, [])
    assert.deepEqual(reply.headers.getSetCookie(), [])
  })
}

test('a request that says nothing of where it comes from signs nobody out by cookie, but does by header', async () => {
  const { wardenry, asked } = application()
  const bare = (headers: Record<string, string>) => new Request(`${appUrl}/sign-out`, { method: 'POST', headers })
  assert.equal((await wardenry.signOut(bare({ cookie }))).status, 403)
  assert.deepEqual(asked, [])
  assert.equal((await wardenry.signOut(bare({ 'x-session-id': sessionToken }))).status, 200)
})

const silent: Record<string, [number, object] | Error> = {
  'the service is not there': new Error('connect ECONNREFUSED'),
  'a proxy answers 401 with a page of its own': [401, []],
  'the bridge secret is wrong': [401, { success: false, code: 'BRIDGE_SECRET_REQUIRED' }],
  'the bridge secret lacks the right': [403, { success: false, code: 'FORBIDDEN', error: 'It lacks the right' }],
  'the service refuses otherwise': [403, { success: false, code: 'CSRF_REJECTED' }],
  'the limit is reached': [429, { success: false, code: 'RATE_LIMITED' }],
}
for (const [name, answer] of Object.entries(silent)) {
  test(`when ${name}, nobody is told to be signed out`, async () => {
    const { wardenry, answers } = application()
    answers['/auth/logout'] = answer
    const reply = await wardenry.signOut(browserRequest('/sign-out', own, 'POST'))
    assert.equal(reply.status, 503)
    assert.deepEqual(reply.headers.getSetCookie(), [])
  })
}

test('comes back to a page of this application only', async () => {
  const { wardenry } = application()
  for (const path of ['//evil.example', 'https://evil.example', '/.//evil.example']) {
    const request = browserRequest(`/sign-out?return_to=${encodeURIComponent(path)}`, own, 'POST')
    assert.equal((await wardenry.signOut(request)).headers.get('location'), `${appUrl}/`)
  }
})

test('the paths of signing in and out are answered, and no others', async () => {
  const { wardenry } = application()
  assert.equal((await wardenry.handle(browserRequest('/sign-in')))?.status, 303)
  assert.equal((await wardenry.handle(browserRequest('/sign-in/callback')))?.status, 400)
  assert.equal((await wardenry.handle(browserRequest('/sign-out', own, 'POST')))?.status, 303)
  for (const path of ['/', '/sign-in/', '/sign-in/callback/x', '/Sign-In', '/sign-outs']) {
    assert.equal(await wardenry.handle(browserRequest(path)), undefined, path)
  }
  assert.equal(await wardenry.handle(browserRequest('/sign-in', own, 'POST')), undefined)
})
