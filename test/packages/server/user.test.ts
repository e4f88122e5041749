import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { WardenryError } from '../../../packages/server/src/index.ts'
import { ada, application, appUrl, browserRequest, letIn, otherToken, serviceUrl, sessionToken } from './support.ts'

const cookie = `__Host-wardenry_session=${sessionToken}`
const withHeaders = (headers: Record<string, string>) => new Request(appUrl, { headers })

function incomingMessage(headers: IncomingMessage['headers']): IncomingMessage {
  const message = new IncomingMessage(new Socket())
  return Object.assign(message, { headers, url: '/', method: 'GET' })
}

const shapes: Record<string, () => Parameters<ReturnType<typeof application>['wardenry']['userOf']>[0]> = {
  'a Fetch request': () => withHeaders({ cookie }),
  'an IncomingMessage': () => incomingMessage({ cookie }),
  'a request of Express': () =>
    Object.assign(incomingMessage({ cookie }), { originalUrl: '/', url: '/', req: undefined }),
  'a request of Fastify': () => ({ headers: { cookie }, raw: incomingMessage({}), url: '/', method: 'GET' }),
  'a context of Koa': () => ({ headers: { cookie }, req: incomingMessage({ cookie }), url: '/', method: 'GET' }),
  'a context of Hono': () => ({ req: { raw: withHeaders({ cookie }) } }),
  'the headers of a server component': () => ({ headers: new Headers({ cookie }) }),
  'the header X-Session-ID': () => withHeaders({ 'x-session-id': sessionToken }),
  'the header Authorization': () => withHeaders({ authorization: `Bearer ${sessionToken}` }),
}
for (const [name, request] of Object.entries(shapes)) {
  test(`gives the user of ${name}`, async () => {
    const { wardenry, asked, answers } = application()
    letIn(answers)
    assert.deepEqual(await wardenry.userOf(request()), ada)
    assert.deepEqual(asked[0]?.body.session_ids, [sessionToken])
  })
}

const nobody: Record<string, Record<string, string>> = {
  'nothing at all': {},
  'an empty cookie': { cookie: '__Host-wardenry_session=' },
  'a value that is none': { cookie: '__Host-wardenry_session=ses_short' },
  'the cookie twice with different values': { cookie: `${cookie}; __Host-wardenry_session=${otherToken}` },
  'the cookie of the service': { cookie: `session_id=${sessionToken}` },
  'the cookie without its prefix': { cookie: `wardenry_session=${sessionToken}` },
  'two headers that differ': { 'x-session-id': sessionToken, authorization: `Bearer ${otherToken}` },
  'a malformed header beside a cookie': { 'x-session-id': 'ses_short', cookie },
  'a header that was sent twice': { 'x-session-id': `${sessionToken}, ${otherToken}`, cookie },
  'a malformed session in Authorization beside a cookie': { authorization: 'Bearer ses_short', cookie },
}
for (const [name, headers] of Object.entries(nobody)) {
  test(`${name} is nobody, and the service is not asked`, async () => {
    const { wardenry, asked, answers } = application()
    letIn(answers)
    assert.equal(await wardenry.userOf(withHeaders(headers)), undefined)
    assert.deepEqual(asked, [])
  })
}

test('two Authorization headers that differ are nobody, although Node.js shows only the first', async () => {
  const { wardenry, asked, answers } = application()
  letIn(answers)
  const [first, second] = [`Bearer ${sessionToken}`, `Bearer ${otherToken}`]
  const sent = (...values: string[]) => ({
    headers: { authorization: values[0]! },
    rawHeaders: values.flatMap((value, index) => [index === 0 ? 'Authorization' : 'authorization', value]),
  })
  const koaContext = { req: sent(first, second) }
  for (const request of [sent(first, second), sent(second, first), koaContext])
    assert.equal(await wardenry.userOf(request), undefined)
  assert.deepEqual(asked, [])
  assert.deepEqual(await wardenry.userOf(sent(first, first)), ada)
})

test('a header decides before a cookie, and other tokens in Authorization are not ours', async () => {
  const { wardenry, asked } = application()
  await wardenry.userOf(withHeaders({ 'x-session-id': otherToken, cookie }))
  await wardenry.userOf(withHeaders({ authorization: 'Bearer eyJhbGciOi', cookie }))
  await wardenry.userOf(withHeaders({ authorization: 'Basic YTpi', cookie }))
  assert.deepEqual(
    asked.flatMap(({ body }) => body.session_ids),
    [otherToken, sessionToken, sessionToken],
  )
})

test('with the cookie of the service, that cookie is looked at alone', async () => {
  const { wardenry, asked } = application({ session: 'shared' })
  await wardenry.userOf(withHeaders({ cookie: `${cookie}; session_id=${otherToken}` }))
  assert.deepEqual(asked[0]?.body.session_ids, [otherToken])
})

const unknown: Record<string, [number, object] | Error> = {
  'the service is not there': new Error('connect ECONNREFUSED'),
  'the service answers 503': [503, { success: false, code: 'UNAVAILABLE' }],
  'the service answers 429': [429, { success: false, code: 'RATE_LIMITED' }],
  'the service answers 500': [500, { success: false, code: 'INTERNAL_ERROR' }],
  'a proxy answers 401 with a page of its own': [401, []],
  'a proxy answers 200 with something else': [200, { hello: 'world' }],
  'the answer is about other sessions': [200, { success: true, results: [] }],
  'the session gets an error of its own': [
    200,
    { success: true, results: [{ success: false, code: 'INTERNAL_ERROR' }] },
  ],
  'a session without a user is answered': [200, { success: true, results: [{ success: true }] }],
  'a redirect leads elsewhere': [302, {}],
  'the bridge secret is wrong': [401, { success: false, code: 'BRIDGE_SECRET_REQUIRED' }],
  'the bridge secret lacks the right': [403, { success: false, code: 'FORBIDDEN', error: 'It lacks the right' }],
}
for (const [name, answer] of Object.entries(unknown)) {
  test(`when ${name}, nobody is signed in or out`, async () => {
    const heard: string[] = []
    const { wardenry, answers } = application({ onError: ({ code }) => heard.push(code) })
    answers['/auth/bridge/validate'] = answer
    await assert.rejects(wardenry.userOf(withHeaders({ cookie })), (error) => {
      assert.ok(error instanceof WardenryError)
      assert.deepEqual([error.status, error.statusCode, error.getResponse().status], [503, 503, 503])
      assert.equal(error.message, 'Sign-in is temporarily unavailable.')
      assert.notEqual(error.reason, error.message)
      return true
    })
    for (const request of [browserRequest('/orders', { cookie }), withHeaders({ cookie })]) {
      const reply = await wardenry.requireUser(request)
      assert.ok(reply instanceof Response)
      assert.equal(reply.status, 503)
      assert.equal(reply.headers.get('location'), null)
      assert.deepEqual(reply.headers.getSetCookie(), [])
      assert.doesNotMatch(await reply.text(), /secret|ECONN|example\.com/)
    }
    assert.equal(heard.length, 2)
  })
}

test('a source that fails in its own way is unknown, too', async () => {
  const validate = () => Promise.reject(new Error('the stream is silent'))
  const { wardenry } = application({ source: { peek: () => 'ask', validate, close() {} } })
  await assert.rejects(wardenry.userOf(withHeaders({ cookie })), { code: 'UNAVAILABLE' })
})

test('a navigation is sent to sign in and comes back, any other request is told', async () => {
  const { wardenry } = application()
  const sent = await wardenry.requireUser(browserRequest('/orders?page=2'))
  assert.ok(sent instanceof Response)
  assert.equal(sent.status, 303)
  assert.match(sent.headers.get('location')!, new RegExp(`^${serviceUrl}/login\\?`))
  const told = {
    'a fetch of a page': browserRequest('/orders', { 'sec-fetch-mode': 'cors' }),
    'a program': new Request(`${appUrl}/orders`),
    'a script that sends data': browserRequest('/orders', { 'sec-fetch-mode': 'cors' }, 'POST'),
  }
  for (const [name, request] of Object.entries(told)) {
    const reply = await wardenry.requireUser(request)
    assert.ok(reply instanceof Response)
    assert.equal(reply.status, 401, name)
    assert.equal(((await reply.json()) as { code: string }).code, 'INVALID_SESSION')
  }
})

test('parameters of a protected page do not reach the sign-in page', async () => {
  const { wardenry } = application()
  const sent = await wardenry.requireUser(browserRequest('/orders?prompt=none&return_to=/elsewhere&screen=register'))
  assert.ok(sent instanceof Response)
  const { searchParams } = new URL(sent.headers.get('location')!)
  assert.equal(searchParams.get('prompt'), null)
  assert.equal(searchParams.get('screen'), null)
})

test('without an own address everybody is told', async () => {
  const { wardenry } = application({ appUrl: undefined as unknown as string })
  const reply = await wardenry.requireUser(browserRequest('/orders'))
  assert.ok(reply instanceof Response)
  assert.equal(reply.status, 401)
})

test('a user of another type is refused', async () => {
  const { wardenry, answers } = application()
  letIn(answers)
  const reply = await wardenry.requireUser(browserRequest('/', { cookie }), { userTypes: ['admin'] })
  assert.ok(reply instanceof Response)
  assert.equal(reply.status, 403)
  assert.ok(
    !((await wardenry.requireUser(browserRequest('/', { cookie }), { userTypes: ['customer'] })) instanceof Response),
  )
})

for (const [age, passes] of [
  [299, true],
  [301, false],
  [undefined, false],
] as const) {
  test(`a proof ${age ?? 'of unknown time'} seconds ago ${passes ? 'is' : 'is not'} fresh within 300`, async () => {
    const { wardenry, answers } = application()
    const time = age && new Date(Date.now() - age * 1000).toISOString()
    letIn(answers, time ? { authenticated_at: time } : {})
    const reply = await wardenry.requireUser(browserRequest('/', { cookie }), { maxAge: 300 })
    assert.equal(reply instanceof Response, !passes)
    if (!(reply instanceof Response)) return
    assert.equal(new URL(reply.headers.get('location')!).searchParams.get('max_age'), '300')
    const told = await wardenry.requireUser(withHeaders({ cookie }), { maxAge: 300 })
    assert.equal((told as Response).status, 403)
  })
}

const pages: Record<string, [headers: Record<string, string>, status: number | undefined]> = {
  'a form of this application': [{ 'sec-fetch-site': 'same-origin', origin: appUrl }, undefined],
  'a form of a page without a referrer': [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, undefined],
  'an old browser': [{ origin: appUrl }, undefined],
  'a program without a browser': [{}, undefined],
  'a trusted origin': [{ 'sec-fetch-site': 'cross-site', origin: 'https://spa.example' }, undefined],
  'a form of another site': [{ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403],
  'a form of a neighbour': [{ 'sec-fetch-site': 'same-site', origin: 'https://other.shop.example' }, 403],
  'a form of another port': [{ origin: `${appUrl}:8443` }, 403],
  'a frame without an origin': [{ origin: 'null' }, 403],
  'another site without an origin': [{ 'sec-fetch-site': 'cross-site' }, 403],
}
for (const [name, [headers, status]] of Object.entries(pages)) {
  test(`a change by ${name} ${status ? 'is refused' : 'passes'}`, async () => {
    const { wardenry, answers } = application({ trustedOrigins: ['https://spa.example'] })
    letIn(answers)
    const change = (more: Record<string, string>) =>
      new Request(appUrl, { method: 'POST', headers: { ...headers, ...more } })
    const reply = await wardenry.requireUser(change({ cookie }))
    assert.equal(reply instanceof Response ? reply.status : undefined, status)
    assert.equal((await wardenry.userOf(change({ cookie }))) === undefined, status === 403)
    assert.equal((await wardenry.sessionOf(change({ cookie }))) === undefined, status === 403)
    assert.ok(!((await wardenry.requireUser(change({ 'x-session-id': sessionToken }))) instanceof Response))
    assert.deepEqual(await wardenry.userOf(change({ 'x-session-id': sessionToken })), ada)
  })
}

const elsewhere = 'https://other.example'
const wallets: [options: object, session: { application?: string | null }, cookie: boolean, header: boolean][] = [
  [{}, { application: appUrl }, true, true],
  [{}, { application: null }, false, true],
  [{}, {}, false, true],
  [{}, { application: elsewhere }, false, false],
  [{}, { application: `${appUrl}:8443` }, false, false],
  [{ applications: [elsewhere] }, { application: elsewhere }, false, true],
  [{ session: 'shared' }, { application: null }, true, true],
  [{ session: 'shared' }, { application: appUrl }, true, true],
  [{ session: 'shared' }, { application: elsewhere }, false, false],
  [{ appUrl: undefined }, { application: elsewhere }, false, false],
  [{ appUrl: undefined }, { application: null }, false, true],
]
for (const [options, session, byCookie, byHeader] of wallets) {
  const name = `${JSON.stringify(options)} ${JSON.stringify(session)}`
  test(`${name}: the session is ${byCookie ? '' : 'not '}accepted in the cookie, and ${byHeader ? '' : 'not '}in a header`, async () => {
    const { wardenry, answers } = application(options)
    letIn(answers, { session: { id: 's', ...session } })
    const cookies = `${cookie}; wardenry_session=${sessionToken}; session_id=${sessionToken}`
    for (const [headers, accepted] of [
      [{ cookie: cookies }, byCookie],
      [{ 'x-session-id': sessionToken }, byHeader],
      [{ authorization: `Bearer ${sessionToken}` }, byHeader],
    ] as const) {
      const request = withHeaders(headers)
      assert.equal((await wardenry.userOf(request)) !== undefined, accepted)
      assert.equal((await wardenry.sessionOf(request)) !== undefined, accepted)
      const result = await wardenry.requireUser(request)
      assert.equal(result instanceof Response ? result.status : 200, accepted ? 200 : 401)
    }
  })
}

for (const maxAge of [0, 29, -1, 1.5, Number.NaN]) {
  test(`maxAge ${maxAge} is refused as an option`, async () => {
    const { wardenry } = application()
    await assert.rejects(wardenry.requireUser(browserRequest('/'), { maxAge }), /maxAge must be/)
    assert.throws(() => wardenry.signIn(browserRequest('/'), { maxAge }), /maxAge must be/)
  })
}

test('a proof is as old as the clock of the service says', async () => {
  for (const ahead of [3_600_000, -3_600_000]) {
    const { wardenry, answers } = application()
    const at = (seconds: number) => new Date(Date.now() + ahead + seconds * 1000).toISOString()
    for (const [proof, passes] of [
      [-10, true],
      [-310, false],
    ] as const) {
      letIn(answers, { timestamp: at(0), expires_at: at(60), authenticated_at: at(proof) })
      const reply = await wardenry.requireUser(browserRequest('/', { cookie }), { maxAge: 300 })
      assert.equal(!(reply instanceof Response), passes)
    }
  }
})
