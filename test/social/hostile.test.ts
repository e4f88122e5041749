import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { importJWK, type JWK, type JWTHeaderParameters, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { sql } from 'kysely'
import { OAuth2Server } from 'oauth2-mock-server'
import { createGuardedFetch } from '../../src/adapters/fetch/node.ts'
import type { GuardedFetch } from '../../src/adapters/fetch/port.ts'
import { person, registered, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { type Reply, startTestApp, type TestApp } from '../support/test-app.ts'
import { started, toldFrontEnd, visitCallback, visitOf } from './support.ts'

const provider = new OAuth2Server()
const clientId = 'hostile-app'
let app: TestApp
/** If set, replaces the token endpoint's response. */
let rogue: RequestListener | undefined
const rogueServer = createServer((request, reply) => rogue?.(request, reply))
let asked: string[] = []

before(async () => {
  await provider.issuer.keys.generate('RS256', { kid: 'one' })
  await provider.start(0, '127.0.0.1')
  await once(rogueServer.listen(0, '127.0.0.1'), 'listening')
  const rogueUrl = `http://127.0.0.1:${(rogueServer.address() as AddressInfo).port}`
  const [guarded, impatient] = [createGuardedFetch(), createGuardedFetch({ totalMs: 500 })]
  const fetch: GuardedFetch = (url, request, policy) => {
    asked.push(new URL(url).pathname)
    return rogue && request.method === 'POST'
      ? impatient(rogueUrl, request, { hosts: [new URL(rogueUrl).host], configured: [rogueUrl] })
      : guarded(url, request, policy)
  }
  app = await startTestApp({
    fetch,
    env: {
      OIDC_ISSUER: provider.issuer.url ?? '',
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: 'hostile-secret',
      OIDC_EXTRA_CLIENT_IDS: 'our-phone-app',
    },
  })
})
after(async () => {
  await app?.stop()
  rogueServer.closeAllConnections()
  rogueServer.close()
  await provider.stop()
})

const now = () => Math.floor(Date.now() / 1000)

const goodClaims = (): JWTPayload => ({
  iss: provider.issuer.url ?? '',
  aud: clientId,
  sub: randomUUID(),
  iat: now(),
  exp: now() + 600,
  email: person().email,
  email_verified: true,
})

async function signedBy(
  claims: JWTPayload,
  header: Partial<JWTHeaderParameters> = {},
  key?: Parameters<SignJWT['sign']>[0],
) {
  const own = await importJWK({ ...provider.issuer.keys.get('one') }, 'RS256')
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(key ?? own)
}

const { privateKey: strangersKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const publicPem = () => {
  const { n, e, kty } = provider.issuer.keys.toJSON().find(({ kid }) => kid === 'one') as Record<string, string>
  const pem = createPublicKey({ key: { n, e, kty } as never, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
  return Buffer.from(pem as string)
}

/** Forged tokens. Each token is valid except for the defect given by the key. */
const forgeries: Record<string, (claims: JWTPayload) => Promise<string> | string> = {
  'another issuer': (claims) => signedBy({ ...claims, iss: 'https://evil.example' }),
  'an issuer that begins like ours': (claims) => signedBy({ ...claims, iss: `${claims.iss}.evil.example` }),
  'another audience': (claims) => signedBy({ ...claims, aud: 'somebody-else' }),
  'several audiences and no party': (claims) => signedBy({ ...claims, aud: [clientId, 'somebody-else'] }),
  'another party': (claims) => signedBy({ ...claims, azp: 'somebody-else' }),
  'no audience': ({ aud: _aud, ...claims }) => signedBy(claims),
  'no subject': ({ sub: _sub, ...claims }) => signedBy(claims),
  'an empty subject': (claims) => signedBy({ ...claims, sub: '' }),
  'the subject U+0000': (claims) => signedBy({ ...claims, sub: '\0' }),
  'a line break in the subject': (claims) => signedBy({ ...claims, sub: `${claims.sub}\n` }),
  'half a letter in the subject': (claims) => signedBy({ ...claims, sub: `${claims.sub}\ud800` }),
  'an end that is just beyond all dates': (claims) => signedBy({ ...claims, exp: 8640000000001 }),
  'an end that no clock will show': (claims) => signedBy({ ...claims, exp: 1e300 }),
  'an end in eleven years': (claims) => signedBy({ ...claims, exp: now() + 11 * 365 * 86_400 }),
  'no end': ({ exp: _exp, ...claims }) => signedBy(claims),
  'a beginning in ten minutes': (claims) => signedBy({ ...claims, iat: now() + 600, exp: now() + 1200 }),
  'a beginning two days ago': (claims) => signedBy({ ...claims, iat: now() - 2 * 86_400 }),
  'a beginning that is no number': (claims) => signedBy({ ...claims, iat: 'soon' as never }),
  'an end that has passed': (claims) => signedBy({ ...claims, iat: now() - 7200, exp: now() - 3600 }),
  'a beginning in an hour': (claims) => signedBy({ ...claims, nbf: now() + 3600 }),
  'a nonce that nobody has given': (claims) => signedBy({ ...claims, nonce: 'of somebody else' }),
  'no signature': (claims) => new UnsecuredJWT(claims).encode(),
  'the public key as a shared secret': (claims) => signedBy(claims, { alg: 'HS256' }, publicPem()),
  'a key of a stranger under our id': (claims) => signedBy(claims, {}, strangersKey),
  'a key that nobody knows': (claims) => signedBy(claims, { kid: 'unknown' }, strangersKey),
  'an algorithm that is not expected': async (claims) => {
    const { alg: _alg, ...key } = provider.issuer.keys.get('one') ?? { alg: '' }
    return signedBy(claims, { alg: 'RS512' }, await importJWK(key as JWK, 'RS512'))
  },
  'a changed letter': async (claims) => {
    const [header, payload = '', signature] = (await signedBy(claims)).split('.')
    const changed = Buffer.from(payload, 'base64url').toString().replace('@example.com', '@exampli.com')
    return [header, Buffer.from(changed).toString('base64url'), signature].join('.')
  },
}

const forApp = (body: object, provider = 'oidc') => app.post(`/auth/social/${provider}/login-api`, body)

/** Completes a sign-in at a provider whose token endpoint returns the result of `idToken` for the nonce. */
async function visited(idToken: (nonce: string) => Promise<string> | string): Promise<Reply> {
  const { url, flow } = await started(app, 'oidc')
  const token = await idToken(url.searchParams.get('nonce') ?? '')
  provider.service.once('beforeResponse', (response) => {
    if (typeof response.body === 'object') Object.assign(response.body, { id_token: token })
  })
  const answer = await fetch(url, { redirect: 'manual' })
  return visitCallback(app, visitOf(new URL(answer.headers.get('location') ?? ''), flow))
}

test('a token that is good signs in, by browser and by app', async () => {
  const reply = await visited((nonce) => signedBy({ ...goodClaims(), nonce }))
  assert.equal(toldFrontEnd(reply).social_login, 'success')
  const { status, json } = await forApp({ id_token: await signedBy(goodClaims()) })
  assert.deepEqual([status, json.is_new_user, json.loginType], [200, true, 'social_auth_api'])
  assert.equal((await app.get('/auth/me', withSession(json.session_id))).status, 200)
  for (const claims of [{ aud: 'our-phone-app' }, { aud: [clientId, 'our-phone-app'], azp: 'our-phone-app' }])
    assert.equal((await forApp({ id_token: await signedBy({ ...goodClaims(), ...claims }) })).status, 200)
})

for (const [wrong, forge] of Object.entries(forgeries)) {
  test(`an ID token with ${wrong} is refused, to a browser and to an app`, async () => {
    const before = await rowCounts(app)
    const { status, json } = await forApp({ id_token: await forge(goodClaims()) })
    assert.deepEqual([status, json.code], [401, 'INVALID_PROVIDER_TOKEN'])
    const reply = await visited((nonce) => forge({ ...goodClaims(), nonce }))
    assert.deepEqual(toldFrontEnd(reply), { social_login: 'error', error: 'provider_error', provider: 'oidc' })
    assert.equal(reply.cookies.session_id, undefined)
    assert.deepEqual(await rowCounts(app), before)
    assert.equal((await auditOf(app, 'social_rejected')).at(-1)?.details.reason, 'not_accepted')
  })
}

test('a browser comes back with the nonce of its own visit, or not at all', async () => {
  assert.equal(toldFrontEnd(await visited(() => signedBy(goodClaims()))).error, 'provider_error')
  const other = (await started(app, 'oidc')).url.searchParams.get('nonce') ?? ''
  const reply = await visited(() => signedBy({ ...goodClaims(), nonce: other }))
  assert.equal(toldFrontEnd(reply).error, 'provider_error')
})

test('a token of a web visit does not sign in an app, whatever audience is ours', async () => {
  const claims = { ...goodClaims(), aud: 'our-phone-app' }
  const reply = await visited((nonce) => signedBy({ ...claims, nonce }))
  assert.equal(toldFrontEnd(reply).error, 'provider_error', 'a token of the app does not end the visit of a browser')
})

test('an app gives the nonce that it has asked with', async () => {
  const claims = { ...goodClaims(), nonce: 'of our app' }
  for (const nonce of [undefined, '', 'another']) {
    assert.equal((await forApp({ id_token: await signedBy(claims), nonce })).status, 401)
  }
  assert.equal((await forApp({ id_token: await signedBy(claims), nonce: 'of our app' })).status, 200)
  assert.equal((await forApp({ id_token: await signedBy(goodClaims()), nonce: 'asked for' })).status, 401)
})

test('an ID token of a provider whose clock differs by two minutes is accepted, once', async () => {
  for (const times of [
    { iat: now() + 120, exp: now() + 720 },
    { iat: now() - 720, exp: now() - 120 },
  ]) {
    const token = await signedBy({ ...goodClaims(), ...times })
    assert.equal((await forApp({ id_token: token })).status, 200)
    assert.equal((await forApp({ id_token: token })).status, 401)
  }
})

test('an ID token acts once, and so does its jti', async () => {
  const claims = goodClaims()
  const token = await signedBy(claims)
  assert.equal((await forApp({ id_token: token })).status, 200)
  const again = await forApp({ id_token: token })
  assert.deepEqual([again.status, again.json.code], [401, 'INVALID_PROVIDER_TOKEN'])
  assert.equal((await auditOf(app, 'social_rejected')).at(-1)?.details.reason, 'replayed')
  const jti = randomUUID()
  assert.equal((await forApp({ id_token: await signedBy({ ...claims, jti }) })).status, 200)
  assert.equal((await forApp({ id_token: await signedBy({ ...claims, jti, iat: now() - 1 }) })).status, 401)
})

test('an ID token whose sign-in is refused is not spent: it signs in once nothing is in the way', async () => {
  const ada = await registered(app, 'ada')
  const token = await signedBy({ ...goodClaims(), email: ada.email, email_verified: false })
  for (let attempt = 0; attempt < 2; attempt++) {
    const { status, json } = await forApp({ id_token: token })
    assert.deepEqual([status, json.code], [400, 'ACCOUNT_EXISTS'])
  }
  await app.ctx.db.updateTable('users').set({ email: person().email }).where('id', '=', ada.id).execute()
  assert.equal((await forApp({ id_token: token })).status, 200)
  assert.equal((await forApp({ id_token: token })).json.code, 'INVALID_PROVIDER_TOKEN')
})

test('an ID token is not spent by a failure of ours', async () => {
  const { db } = app.ctx
  const token = await signedBy(goodClaims())
  await sql`ALTER TABLE audit_events ADD CONSTRAINT broken CHECK (event <> 'social_login') NOT VALID`.execute(db)
  const failed = await forApp({ id_token: token }).finally(() =>
    sql`ALTER TABLE audit_events DROP CONSTRAINT broken`.execute(db),
  )
  assert.equal(failed.status, 500)
  assert.equal((await forApp({ id_token: token })).status, 200)
})

test('of many who show one ID token at once, one comes in', async () => {
  const token = await signedBy(goodClaims())
  const replies = await Promise.all(Array.from({ length: 8 }, () => forApp({ id_token: token })))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(7).fill(401)])
})

for (const [what, broken] of Object.entries({ 'U+0000': '\0', 'half a letter': '\ud800' })) {
  test(`${what} in what a provider says about somebody is left out, and they come in`, async () => {
    const claims = {
      given_name: `Ada${broken}`,
      family_name: broken,
      picture: `https://pictures.test/${broken}#${broken}`,
    }
    const { status, json } = await forApp({ id_token: await signedBy({ ...goodClaims(), ...claims }) })
    assert.deepEqual([status, json.user?.name, json.user?.last_name], [200, '', ''])
    assert.match(json.user.picture, /^https:\/\/pictures\.test\/[%#\w]+$/)
    const known = goodClaims()
    assert.equal((await forApp({ id_token: await signedBy(known) })).status, 200)
    for (const email of [`ada${broken}@example.com`, `ada@exam${broken}ple.com`, broken]) {
      const { status, json } = await forApp({ id_token: await signedBy({ ...goodClaims(), email }) })
      assert.deepEqual([status, json.details?.[0]?.field], [400, 'email'])
      assert.equal((await forApp({ id_token: await signedBy({ ...known, ...claims, email }) })).status, 200)
    }
  })
}

test('an app brings exactly one thing', async () => {
  const token = await signedBy(goodClaims())
  for (const body of [
    {},
    { nonce: 'x' },
    { id_token: '' },
    { id_token: token, code: 'x' },
    { id_token: token, access_token: 'x' },
  ]) {
    const { status, json } = await forApp(body)
    assert.deepEqual([status, json.code], [400, 'VALIDATION_ERROR'])
  }
  assert.equal((await forApp({ access_token: 'x' })).status, 401)
  for (const id_token of ['x', 'x.y.z', '..', 'e30.e30.']) assert.equal((await forApp({ id_token })).status, 401)
  const { status, json } = await forApp({ code: 'x', redirect_uri: 'http://localhost:3000/auth/social/oidc/callback' })
  assert.deepEqual([status, json.details[0].field], [400, 'redirect_uri'])
})

test('keys are asked for once, and once more for unknown ones, however many they are', async () => {
  await forApp({ id_token: await signedBy(goodClaims()) })
  app.clock.advance(31_000)
  asked = []
  for (let attempt = 0; attempt < 5; attempt++)
    await forApp({ id_token: await signedBy(goodClaims(), { kid: `made up ${attempt}` }, strangersKey) })
  assert.deepEqual(asked, ['/jwks'])
})

const troubles: Record<string, RequestListener> = {
  hangs: () => {},
  fails: (_request, reply) =>
    reply.writeHead(500, { 'content-type': 'application/json' }).end('{"error":"server_error"}'),
  'sends no JSON': (_request, reply) => reply.writeHead(200, { 'content-type': 'text/html' }).end('<h1>hello</h1>'),
  'sends half of it': (_request, reply) => reply.writeHead(200, { 'content-type': 'application/json' }).end('{"access'),
  redirects: (_request, reply) => reply.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  'sends 50 MB': (_request, reply) => {
    reply.writeHead(200, { 'content-type': 'application/json' })
    for (let sent = 0; sent < 50 && !reply.destroyed; sent++) reply.write(Buffer.alloc(1024 * 1024, 120))
    reply.end()
  },
}
for (const [what, listener] of Object.entries(troubles)) {
  test(`a provider that ${what} is away: 503, nobody else notices, and the next visit is as good as ever`, async () => {
    const { url, flow } = await started(app, 'oidc')
    const answer = await fetch(url, { redirect: 'manual' })
    const visit = visitOf(new URL(answer.headers.get('location') ?? ''), flow)
    rogue = listener
    try {
      const ada = registered(app)
      const reply = await app.get(`${visit.callback}&format=json`, { headers: { cookie: visit.cookie } })
      assert.deepEqual([reply.status, reply.json.code], [503, 'UNAVAILABLE'])
      assert.equal((await app.get('/auth/me', withSession((await ada).sessionToken))).status, 200)
      assert.equal((await forApp({ code: 'x' })).status, 503)
    } finally {
      rogue = undefined
    }
    assert.equal(toldFrontEnd(await visited((nonce) => signedBy({ ...goodClaims(), nonce }))).social_login, 'success')
  })
}

test('what a provider says about an error is shown to nobody', async () => {
  const texts = ['<script>alert(1)</script>', 'ошибка'.repeat(100), 'access_denied\r\nSet-Cookie: a=b', 'server_error']
  for (const error of texts) {
    const { url, flow } = await started(app, 'oidc')
    const query = new URLSearchParams({ error, error_description: error, state: url.searchParams.get('state') ?? '' })
    const reply = await visitCallback(app, visitOf(new URL(`http://x/auth/social/oidc/callback?${query}`), flow))
    assert.deepEqual(toldFrontEnd(reply), { social_login: 'error', error: 'provider_error', provider: 'oidc' })
    assert.equal(reply.headers['set-cookie']?.toString().includes('a=b'), false)
  }
  const { url, flow } = await started(app, 'oidc')
  const query = new URLSearchParams({ error: 'access_denied', state: url.searchParams.get('state') ?? '' })
  const reply = await visitCallback(app, visitOf(new URL(`http://x/auth/social/oidc/callback?${query}`), flow))
  assert.equal(toldFrontEnd(reply).error, 'access_denied')
})

test('whatever a request asks for, the way leads to our front end', async () => {
  const wishes = [
    '//evil',
    '/\\evil',
    'https:evil',
    'https://app.test@evil',
    'javascript:alert(1)',
    '%2f@evil',
    '/%09/evil',
  ]
  for (const wish of wishes) {
    const more = ['redirect_url', 'redirect_uri', 'return_to', 'next'].map(
      (name) => `${name}=${encodeURIComponent(wish)}`,
    )
    const refused = await app.get(`/auth/social/oidc/login?${more.join('&')}`, { headers: { accept: 'text/html' } })
    assert.deepEqual([refused.status, refused.headers.location, refused.cookies], [400, undefined, {}])
    const ignored = more.filter((member) => !member.startsWith('return_to'))
    const { url, flow } = await started(app, 'oidc', `?${ignored.join('&')}`)
    assert.equal(url.searchParams.get('redirect_uri'), 'http://localhost:3000/auth/social/oidc/callback')
    const state = url.searchParams.get('state')
    const headers = { cookie: `oauth_flow=${flow}`, 'x-forwarded-host': 'evil.test', host: 'evil.test' }
    const reply = await app.get(`/auth/social/oidc/callback?code=x&state=${state}&${more.join('&')}`, { headers })
    assert.equal(toldFrontEnd(reply).social_login, 'error')
  }
})

test('too many visits are told as such', async () => {
  const from = '203.0.113.77'
  let reply = await app.get('/auth/social/oidc/callback', { from })
  for (let visit = 0; visit < 10; visit++) reply = await app.get('/auth/social/oidc/callback', { from })
  assert.equal(toldFrontEnd(reply).error, 'rate_limited')
  assert.match(app.logged(), /"reason":"rate_limited","msg":"a sign-in with a provider was refused"/)
  const program = await app.get('/auth/social/oidc/callback?format=json', { from })
  assert.deepEqual([program.status, program.json.code], [429, 'RATE_LIMITED'])
})

test('no log line holds a code, a state, a token or a flow value', async () => {
  const { url, flow } = await started(app, 'oidc')
  const state = url.searchParams.get('state') ?? ''
  const token = await signedBy({ ...goodClaims(), aud: 'somebody-else' })
  const reply = await visited(() => token)
  assert.equal(toldFrontEnd(reply).error, 'provider_error')
  await app.get(`/auth/social/oidc/callback?code=secret-code-of-this-test&state=${state}`, {
    headers: { cookie: `oauth_flow=${flow}` },
  })
  for (const secret of [state, flow, token, 'secret-code-of-this-test', 'hostile-secret'])
    assert.ok(!app.logged().includes(secret))
})
