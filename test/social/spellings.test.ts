import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { exportJWK, generateKeyPair, type JWTPayload } from 'jose'
import { sql } from 'kysely'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { fakeInternet, publicKey, signed } from './fake-internet.ts'
import { started, toldFrontEnd, visitCallback, visitOf } from './support.ts'

const tenant = '72f988bf-86f1-41af-91ab-2d7cd011db47'
const issuers = { oidc: 'https://id.test/realm', microsoft: `https://login.microsoftonline.us/${tenant}/v2.0` }
type Name = keyof typeof issuers
const internet = fakeInternet()
const second = await generateKeyPair('RS256', { extractable: true })

let app: TestApp
before(async () => {
  app = await startTestApp({
    fetch: internet.fetch,
    env: {
      OIDC_ISSUER: issuers.oidc,
      OIDC_CLIENT_ID: 'our-app',
      OIDC_CLIENT_SECRET: 'our-secret',
      MICROSOFT_ISSUER: issuers.microsoft,
      MICROSOFT_CLIENT_ID: 'our-app',
      MICROSOFT_CLIENT_SECRET: 'our-secret',
    },
  })
})
after(() => app?.stop())

let keys: object[] = [await publicKey()]
const document = (name: Name) => ({
  issuer: issuers[name].replace(tenant, '{tenantid}'),
  authorization_endpoint: `${issuers[name]}/authorize`,
  token_endpoint: `${issuers[name]}/token`,
  userinfo_endpoint: `${issuers[name]}/userinfo`,
  jwks_uri: `${issuers[name]}/keys`,
  registration_endpoint: null,
})
for (const name of ['oidc', 'microsoft'] as const) {
  internet.on(
    `GET ${issuers[name]}/.well-known/openid-configuration`,
    () => new Response(`\ufeff${JSON.stringify(document(name))}`, { headers: { 'content-type': 'application/json' } }),
  )
  internet.on(`GET ${issuers[name]}/keys`, () => ({ keys }))
}

interface Sent {
  claims?: JWTPayload
  tokens?: object
  sign?: (claims: JWTPayload) => Promise<string>
  query?: Record<string, string>
}

/** Completes a sign-in at a provider that sends these claims and members of the token response. */
async function visit(name: Name, { claims = {}, tokens, sign = signed, query = { code: 'a-code' } }: Sent) {
  const { url, flow } = await started(app, name)
  const nonce = url.searchParams.get('nonce')
  const tid = name === 'microsoft' ? tenant : undefined
  const given = { iss: issuers[name], aud: 'our-app', sub: String(claims.email), nonce, tid, ...claims }
  internet.on(`POST ${issuers[name]}/token`, async () => {
    const usual = { access_token: 'an-access-token', token_type: 'Bearer', id_token: await sign(given) }
    return tokens instanceof Response ? tokens : { ...usual, ...tokens }
  })
  const parameters = new URLSearchParams({ ...query, state: url.searchParams.get('state') ?? '' })
  const back = new URL(`http://localhost:3000/auth/social/${name}/callback?${parameters}`)
  return toldFrontEnd(await visitCallback(app, visitOf(back, flow)))
}

const isVerified = async (email: string) => {
  const { rows } = await sql<{ is_verified: boolean }>`SELECT is_verified FROM users WHERE email = ${email}`.execute(
    app.ctx.db,
  )
  return rows[0]?.is_verified
}

for (const [name, claim, confirmed, denied] of [
  ['oidc', 'email_verified', [true, 'true'], [false, 'false', 1, 'yes']],
  ['microsoft', 'xms_edov', [true, 'true', 1, '1'], [false, 'false', 0, '0', 'yes', 2]],
] as const) {
  test(`the claim ${claim} is read in every known spelling`, async () => {
    for (const [index, value] of [...confirmed, ...denied].entries()) {
      const email = `${name}-${index}@example.com`
      assert.equal((await visit(name, { claims: { email, [claim]: value } })).social_login, 'success', String(value))
      assert.equal(await isVerified(email), index < confirmed.length, JSON.stringify(value))
    }
  })
}

test('an address from userinfo is verified only if userinfo says so', async () => {
  const says = (info: object) => internet.on(`GET ${issuers.oidc}/userinfo`, () => ({ sub: 'split', ...info }))
  const sent = { claims: { sub: 'split', email_verified: true } }
  says({ email: 'split@example.com', email_verified: false })
  assert.equal((await visit('oidc', sent)).social_login, 'success')
  assert.equal(await isVerified('split@example.com'), false)
})

test('a list of scopes and members that are null do not matter', async () => {
  const tokens = { scope: ['openid', 'email'], refresh_token: null, expires_in: null }
  assert.equal((await visit('oidc', { claims: { email: 'list@example.com' }, tokens })).social_login, 'success')
})

test('keys that were published a moment ago are found, once in half a minute', async () => {
  const sign = (kid: string) => (claims: JWTPayload) => signed(claims, kid, 'RS256', second.privateKey)
  const publish = async (kid: string) => {
    keys = [...keys, { ...(await exportJWK(second.publicKey)), kid, alg: 'RS256' }]
  }
  await visit('oidc', { claims: { email: 'before@example.com' } })
  await publish('new')
  assert.equal(
    (await visit('oidc', { claims: { email: 'new@example.com' }, sign: sign('new') })).social_login,
    'success',
  )
  await publish('newer')
  const early = await visit('oidc', { claims: { email: 'newer@example.com' }, sign: sign('newer') })
  assert.equal(early.error, 'provider_error')
  app.clock.advance(31_000)
  assert.equal(
    (await visit('oidc', { claims: { email: 'newer@example.com' }, sign: sign('newer') })).social_login,
    'success',
  )
})

test('one of two keys with the same id, or without one, may have signed', async () => {
  keys = [await publicKey({ kid: 'twin' }), { ...(await exportJWK(second.publicKey)), kid: 'twin', alg: 'RS256' }]
  app.clock.advance(31_000)
  const { privateKey } = await generateKeyPair('RS256')
  const by = (key?: CryptoKey) => (claims: JWTPayload) => signed(claims, 'twin', 'RS256', key)
  for (const [index, sign] of [by(), by(second.privateKey)].entries())
    assert.equal((await visit('oidc', { claims: { email: `twin-${index}@a.test` }, sign })).social_login, 'success')
  assert.equal((await visit('oidc', { claims: { email: 'x@a.test' }, sign: by(privateKey) })).error, 'provider_error')
  const isExpired = { email: 'y@a.test', exp: 1 }
  assert.equal((await visit('oidc', { claims: isExpired, sign: by(second.privateKey) })).error, 'provider_error')
  const foreign = { issuer: 'https://login.microsoftonline.us/other/v2.0' }
  keys = [keys[0] as object, { ...(keys[1] as object), ...foreign }]
  const mixed = await visit('microsoft', { claims: { email: 'z@a.test' }, sign: by(second.privateKey) })
  assert.equal(mixed.error, 'provider_error')
  keys = [await publicKey()]
  app.clock.advance(31_000)
})

const json = (status: number, body: object, headers = {}) => Response.json(body, { status, headers })

const causes: Record<string, [sent: () => Sent, logged: object]> = {
  'an error of the provider': [
    () => ({ query: { error: 'temporarily_unavailable' } }),
    { oauth_error: 'temporarily_unavailable' },
  ],
  'an error that is no word': [() => ({ query: { error: 'secret of this test' } }), { reason: 'not_accepted' }],
  'no code': [() => ({ query: {} }), { sentence: 'the callback has no code' }],
  'an error of the token endpoint': [
    () => ({ tokens: json(400, { error: 'invalid_grant', error_description: 'secret of this test' }) }),
    { oauth_error: 'invalid_grant', status: 400, address: `${issuers.oidc}/token` },
  ],
  'an error of the token endpoint with status 200': [
    () => ({ tokens: json(200, { error: 'bad_verification_code' }) }),
    { oauth_error: 'bad_verification_code' },
  ],
  'a wrong claim': [() => ({ claims: { email: 'a@b.test', aud: 'another' } }), { claim: 'aud' }],
  'a missing claim': [
    () => ({ claims: { email: 'a@b.test', exp: undefined as never } }),
    { sentence: 'JWT "exp" (expiration time) claim missing' },
  ],
  'a rejection of the userinfo endpoint': [
    () => {
      internet.on(`GET ${issuers.oidc}/userinfo`, () => json(403, { error: 'secret of this test' }))
      return {}
    },
    { status: 403, address: `${issuers.oidc}/userinfo` },
  ],
  'a challenge of the userinfo endpoint': [
    () => {
      const headers = { 'www-authenticate': 'Bearer error="invalid_token"' }
      internet.on(`GET ${issuers.oidc}/userinfo`, () => json(401, {}, headers))
      return {}
    },
    { status: 401, address: `${issuers.oidc}/userinfo` },
  ],
}

const rejections = () =>
  app
    .logged()
    .split('\n')
    .filter((line) => line.includes('a sign-in with a provider was refused'))
    .map((line) => JSON.parse(line))

for (const [what, [sent, logged]] of Object.entries(causes)) {
  test(`the log names the cause: ${what}`, async () => {
    const before = rejections().length
    assert.equal((await visit('oidc', { claims: { sub: 'somebody' }, ...sent() })).social_login, 'error')
    const [line, ...others] = rejections().slice(before)
    assert.deepEqual(others, [])
    assert.equal(line.provider, 'oidc')
    for (const [name, value] of Object.entries(logged)) assert.deepEqual(line[name], value, JSON.stringify(line))
    for (const secret of ['secret of this test', 'an-access-token', 'a-code', 'our-secret'])
      assert.ok(!JSON.stringify(line).includes(secret), secret)
  })
}

test('the log names where a discovery document redirects, or the issuer that it has', async () => {
  const at = `GET ${issuers.oidc}/.well-known/openid-configuration`
  const begin = () => app.get('/auth/social/oidc/login', { headers: { accept: 'application/json' } })
  app.clock.advance(61 * 60_000)
  internet.on(at, () => new Response(null, { status: 301, headers: { location: '/other/openid?secret=1' } }))
  assert.equal((await begin()).status, 503)
  const redirected = rejections().at(-1)
  assert.deepEqual([redirected.status, redirected.redirects_to], [301, 'https://id.test/other/openid'])
  internet.on(at, () => ({ ...document('oidc'), issuer: 'https://id.test/realm/' }))
  assert.equal((await begin()).status, 503)
  const { expected, received } = rejections().at(-1)
  assert.deepEqual([expected, received], [issuers.oidc, 'https://id.test/realm/'])
})
