import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { application, appUrl, begun, browserRequest, kept, otherToken, serviceUrl, sessionToken } from './support.ts'

const callbackAddress = `${appUrl}/sign-in/callback`

test('sends the browser to the sign-in page with a challenge, and keeps the verifier from it', () => {
  const { wardenry } = application()
  const { response, location } = begun(wardenry)
  assert.equal(response.status, 303)
  assert.equal(location.origin + location.pathname, `${serviceUrl}/login`)
  assert.equal(location.searchParams.get('return_to'), callbackAddress)
  assert.equal(location.searchParams.get('code_challenge_method'), 'S256')
  assert.match(location.searchParams.get('state')!, /^[\w-]{43}$/)
  const [cookie] = response.headers.getSetCookie()
  assert.match(cookie!, /^__Host-wardenry_flow_[1-5]=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/)
  assert.ok(!Buffer.from(cookie!.split(/[=;]/)[1]!, 'base64url').includes('codeVerifier'))
})

test('redeems the code with the verifier of the challenge, and gives the browser a session of this application', async () => {
  const { wardenry, asked } = application()
  const { location, state, back } = begun(wardenry)
  const reply = await wardenry.callback(back(`code=c1&state=${state}`))
  const [{ path, body, headers }] = asked as [(typeof asked)[0]]
  assert.equal(path, '/auth/bridge/redeem')
  assert.equal(body.return_to, callbackAddress)
  assert.equal(
    createHash('sha256').update(String(body.code_verifier)).digest('base64url'),
    location.searchParams.get('code_challenge'),
  )
  assert.match(headers.get('x-bridge-secret')!, /^bridge-/)
  assert.equal(reply.status, 303)
  assert.equal(reply.headers.get('location'), `${appUrl}/orders?page=2`)
  assert.equal(reply.headers.get('cache-control'), 'no-store')
  const [session, flow] = reply.headers.getSetCookie()
  assert.equal(
    session,
    `__Host-wardenry_session=${sessionToken}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure`,
  )
  assert.match(flow!, /^__Host-wardenry_flow_[1-5]=; Path=\/; Max-Age=0;/)
})

test('on plain http the cookies have no prefix, and another name than that of the service', async () => {
  const { wardenry } = application({ url: 'http://localhost:3000', appUrl: 'http://localhost:4000' })
  const { state, cookie } = begun(wardenry)
  const url = `http://localhost:4000/sign-in/callback?code=c1&state=${state}`
  const reply = await wardenry.callback(new Request(url, { headers: { cookie } }))
  assert.match(
    reply.headers.getSetCookie()[0]!,
    /^wardenry_session=ses_\w+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
  )
})

const foreign = 'x'.repeat(43)
const refused: Record<string, (state: string, cookie: string) => [query: string, cookie: string]> = {
  'without a state': (_state, cookie) => ['code=c1', cookie],
  'with an empty state': (_state, cookie) => ['code=c1&state=', cookie],
  'with a state of somebody else': (_state, cookie) => [`code=c1&state=${foreign}`, cookie],
  'with two states': (state, cookie) => [`code=c1&state=${state}&state=${foreign}`, cookie],
  'in a browser that did not begin it': (state) => [`code=c1&state=${state}`, ''],
  'with a cookie that was changed': (state, cookie) => [`code=c1&state=${state}`, `${cookie.slice(0, -2)}AA`],
  'with the cookie twice': (state, cookie) => [`code=c1&state=${state}`, `${cookie}; ${cookie.slice(0, -2)}AA`],
  'with the cookie of another flow under this name': (state, cookie) => {
    const other = begun(application().wardenry).cookie
    return [`code=c1&state=${state}`, `${cookie.split('=')[0]}=${other.split('=')[1]}`]
  },
}
for (const [how, change] of Object.entries(refused)) {
  test(`refuses to complete a sign-in ${how}`, async () => {
    const { wardenry, asked } = application()
    const { state, cookie } = begun(wardenry)
    const [query, sent] = change(state, cookie)
    const reply = await wardenry.callback(browserRequest(`/sign-in/callback?${query}`, { cookie: sent }))
    assert.equal(reply.status, 400)
    assert.match(await reply.text(), /was started in another browser/)
    assert.deepEqual(asked, [])
    assert.ok(!kept(reply).some((cookie) => cookie.includes('ses_')))
  })
}

test('a state works once: the second use does not reach the service, which would end the first session', async () => {
  const { wardenry, asked } = application()
  const { state, back } = begun(wardenry)
  const replies = await Promise.all([1, 2, 3].map(() => wardenry.callback(back(`code=c1&state=${state}`))))
  assert.deepEqual(
    replies.map(({ status }) => status),
    [303, 400, 400],
  )
  assert.equal(asked.length, 1)
})

test('a flow is over after ten minutes', async (t) => {
  const { wardenry, asked } = application()
  const { state, back } = begun(wardenry)
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 601_000 })
  assert.equal((await wardenry.callback(back(`code=c1&state=${state}`))).status, 400)
  assert.deepEqual(asked, [])
})

test('a secret of another application opens no flow', async () => {
  const { state, back } = begun(application({ bridgeSecret: 'another-secret-of-another-application' }).wardenry)
  assert.equal((await application().wardenry.callback(back(`code=c1&state=${state}`))).status, 400)
})

test('a refused code signs nobody in', async () => {
  const { wardenry, answers } = application()
  answers['/auth/bridge/redeem'] = [400, { success: false, code: 'INVALID_CODE' }]
  const { state, back } = begun(wardenry)
  const reply = await wardenry.callback(back(`code=c1&state=${state}`))
  assert.equal(reply.status, 400)
  assert.deepEqual(
    kept(reply).map((cookie) => cookie.split('=')[1]),
    [''],
  )
})

for (const query of ['', '&code=', '&code=a&code=b']) {
  test(`refuses a callback with ${query || 'no code'}`, async () => {
    const { wardenry, asked } = application()
    const { state, back } = begun(wardenry)
    assert.equal((await wardenry.callback(back(`state=${state}${query}`))).status, 400)
    assert.deepEqual(asked, [])
  })
}

test('while the service cannot be asked the answer is 503, and opening the address again completes the sign-in', async () => {
  const { wardenry, answers } = application()
  const { state, back } = begun(wardenry)
  answers['/auth/bridge/redeem'] = new Error('connect ECONNREFUSED')
  const failed = await wardenry.callback(back(`code=c1&state=${state}`))
  assert.equal(failed.status, 503)
  assert.equal(failed.headers.get('retry-after'), '1')
  assert.deepEqual(kept(failed), [])
  answers['/auth/bridge/redeem'] = [200, { success: true, session_id: sessionToken }]
  assert.equal((await wardenry.callback(back(`code=c1&state=${state}`))).status, 303)
})

test('a sign-in without questions comes back to the page', async () => {
  const { wardenry, asked } = application()
  const silent = begun(wardenry)
  const back = await wardenry.callback(silent.back(`error=login_required&state=${silent.state}`))
  assert.equal(back.headers.get('location'), `${appUrl}/orders?page=2`)
  assert.deepEqual(asked, [])
})

test('the session that the browser had before ends', async () => {
  const { wardenry, asked } = application()
  const { state, cookie } = begun(wardenry)
  const both = `${cookie}; __Host-wardenry_session=${otherToken}`
  await wardenry.callback(browserRequest(`/sign-in/callback?code=c1&state=${state}`, { cookie: both }))
  assert.equal(asked[1]?.path, '/auth/logout')
  assert.equal(asked[1]?.search, '?scope=application')
  assert.equal(asked[1]?.headers.get('x-session-id'), otherToken)
})

const callbackOf = (reply: Response) => {
  const state = new URL(reply.headers.get('location')!).searchParams.get('state')
  return `/sign-in/callback?code=c1&state=${state}`
}

test('twenty sign-ins that begin at the same time keep at most 8 kB of cookies, and the newest completes', async () => {
  const { wardenry } = application()
  const long = `/orders?filter=${'ä'.repeat(1900)}`
  const jar = new Map<string, string>()
  let newest: Response | undefined
  for (let index = 0; index < 20; index++) {
    newest = wardenry.signIn(browserRequest('/sign-in'), { returnTo: index % 2 ? long : `/${'a'.repeat(560)}` })
    for (const cookie of kept(newest)) jar.set(cookie.split('=')[0]!, cookie)
  }
  const cookie = [...jar.values()].join('; ')
  assert.ok(jar.size <= 5, `${jar.size} cookies`)
  assert.ok(cookie.length < 8000 - 1500, `${cookie.length} bytes`)
  const reply = await wardenry.callback(browserRequest(callbackOf(newest!), { cookie }))
  assert.equal(reply.status, 303)
  assert.equal(reply.headers.get('location'), `${appUrl}/orders`)
})

test('five tabs sign in one after the other, and a sixth takes the place of the oldest', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const { wardenry } = application()
  const jar = new Map<string, string>([['theme', 'theme=dark']])
  const cookies = () => [...jar.values()].join('; ')
  const begin = () => {
    t.mock.timers.tick(1000)
    const reply = wardenry.signIn(browserRequest('/sign-in', { cookie: cookies() }))
    for (const cookie of kept(reply)) jar.set(cookie.split('=')[0]!, cookie)
    return reply
  }
  const tabs = Array.from({ length: 6 }, begin)
  const statuses = []
  for (const tab of tabs) {
    statuses.push((await wardenry.callback(browserRequest(callbackOf(tab), { cookie: cookies() }))).status)
  }
  assert.deepEqual(statuses, [400, 303, 303, 303, 303, 303])
})

test('a return address that is too long for a cookie keeps its path, or else leads to the start', async () => {
  const { wardenry } = application()
  for (const [returnTo, expected] of [
    [`/orders?q=${'a'.repeat(700)}`, '/orders'],
    [`/${'a'.repeat(700)}`, '/'],
    [`/orders?q=${'a'.repeat(500)}`, `/orders?q=${'a'.repeat(500)}`],
  ] as const) {
    const { state, back } = begun(wardenry, returnTo)
    const reply = await wardenry.callback(back(`code=c1&state=${state}`))
    assert.equal(reply.headers.get('location'), appUrl + expected)
  }
})

const stale: [name: string, options: object, proofAge: number | undefined, passes: boolean][] = [
  ['a proof from before prompt=login', { prompt: 'login' }, 60, false],
  ['a proof after prompt=login', { prompt: 'login' }, 0, true],
  ['a proof older than maxAge', { maxAge: 300 }, 310, false],
  ['a proof within maxAge', { maxAge: 300 }, 290, true],
  ['a proof of unknown time', { maxAge: 300 }, undefined, false],
  ['any proof when none was asked for', {}, 86_400, true],
]
for (const [name, options, proofAge, passes] of stale) {
  for (const ahead of [0, 3_600_000, -3_600_000]) {
    test(`${name} ${passes ? 'signs in' : 'is refused'}, whatever the address said, with our clock ${ahead} ms off`, async () => {
      const { wardenry, answers, asked } = application()
      const { state, back } = begun(wardenry, '/', options)
      const now = Date.now() + ahead
      const proof = proofAge !== undefined && { authenticated_at: new Date(now - proofAge * 1000).toISOString() }
      const times = { timestamp: new Date(now).toISOString(), ...proof }
      answers['/auth/bridge/redeem'] = [200, { success: true, session_id: sessionToken, ...times }]
      const reply = await wardenry.callback(back(`code=c1&state=${state}`))
      assert.equal(reply.status, passes ? 303 : 403)
      assert.equal(
        kept(reply).some((cookie) => cookie.includes(sessionToken)),
        passes,
      )
      if (passes) return
      const ended = asked.find(({ path }) => path === '/auth/logout')
      assert.equal(ended?.headers.get('x-session-id'), sessionToken)
    })
  }
}
