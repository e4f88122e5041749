import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { after, before, test } from 'node:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { sql } from 'kysely'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { fakeInternet, fakeIssuer } from './fake-internet.ts'
import { started, toldFrontEnd, visitCallback, visitOf } from './support.ts'

const appleKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })
const tenant = '72f988bf-86f1-41af-91ab-2d7cd011db47'
const internet = fakeInternet()
let app: TestApp
before(async () => {
  app = await startTestApp({
    fetch: internet.fetch,
    env: {
      GOOGLE_CLIENT_ID: 'google-app',
      GOOGLE_CLIENT_SECRET: 'google-secret',
      GITHUB_CLIENT_ID: 'github-app',
      GITHUB_CLIENT_SECRET: 'github-secret',
      FACEBOOK_CLIENT_ID: 'facebook-app',
      FACEBOOK_CLIENT_SECRET: 'facebook-secret',
      APPLE_CLIENT_ID: 'com.example.web',
      APPLE_TEAM_ID: 'TEAM123456',
      APPLE_KEY_ID: 'KEY1234567',
      APPLE_PRIVATE_KEY: String(appleKey).replaceAll('\n', '\\n'),
      DISCORD_CLIENT_ID: '157730590492196864',
      DISCORD_CLIENT_SECRET: 'discord-secret',
      MICROSOFT_CLIENT_ID: 'microsoft-app',
      MICROSOFT_CLIENT_SECRET: 'microsoft-secret',
    },
  })
})
after(() => app?.stop())

const google = fakeIssuer(internet, {
  issuer: 'https://accounts.google.com',
  discovery: 'https://accounts.google.com/.well-known/openid-configuration',
  authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
  token: 'https://oauth2.googleapis.com/token',
  more: { userinfo_endpoint: 'https://openidconnect.googleapis.com/v1/userinfo' },
})
const apple = fakeIssuer(internet, {
  issuer: 'https://appleid.apple.com',
  discovery: 'https://appleid.apple.com/.well-known/openid-configuration',
  authorization: 'https://appleid.apple.com/auth/authorize',
  token: 'https://appleid.apple.com/auth/token',
})
const microsoft = fakeIssuer(internet, {
  issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0',
  discovery: 'https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration',
  authorization: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
  token: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
  key: { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' },
})

/** Completes a sign-in with the provider. `prepare` gets the nonce that the tokens must contain. */
async function visit(provider: string, prepare: (nonce: string) => void = () => {}) {
  const { url, flow } = await started(app, provider)
  prepare(url.searchParams.get('nonce') ?? '')
  const back = new URL(`http://localhost:3000/auth/social/${provider}/callback?code=a-code`)
  back.searchParams.set('state', url.searchParams.get('state') ?? '')
  return { url, reply: await visitCallback(app, visitOf(back, flow)) }
}

const shown = async (email: string) => {
  const { rows } = await sql`SELECT u.name, u.last_name, u.picture, u.is_verified, a.provider, a.issuer, a.subject
    FROM users u JOIN social_accounts a ON a.user_id = u.id WHERE u.email = ${email}`.execute(app.ctx.db)
  return rows
}

test('Google: verified as the claim says, name and picture as they are', async () => {
  const { url, reply } = await visit('google', (nonce) => {
    google.claims = {
      iss: 'https://accounts.google.com',
      aud: 'google-app',
      azp: 'google-app',
      sub: '110169484474386276334',
      nonce,
      email: 'Elisa.G.Beckett@gmail.com',
      email_verified: true,
      given_name: 'Elisa',
      family_name: 'Beckett',
      picture: 'https://lh3.googleusercontent.com/a-/AOh14',
    }
  })
  assert.equal(`${url.origin}${url.pathname}`, 'https://accounts.google.com/o/oauth2/v2/auth')
  assert.equal(url.searchParams.get('client_id'), 'google-app')
  assert.equal(url.searchParams.get('scope'), 'openid email profile')
  assert.deepEqual(toldFrontEnd(reply), { social_login: 'success', provider: 'google' })
  assert.deepEqual(await shown('elisa.g.beckett@gmail.com'), [
    {
      name: 'Elisa',
      last_name: 'Beckett',
      picture: 'https://lh3.googleusercontent.com/a-/AOh14',
      is_verified: true,
      provider: 'google',
      issuer: 'https://accounts.google.com',
      subject: '110169484474386276334',
    },
  ])
  assert.equal(google.tokenAsked?.form.get('client_secret'), 'google-secret')
  assert.match(google.tokenAsked?.form.get('code_verifier') ?? '', /^[\w-]{43}$/)
})

const githubUser = { id: 583231, login: 'octocat', name: 'monalisa octocat', email: 'typed@example.com' }

function github(user: object, emails: object[]) {
  internet.on('POST https://github.com/login/oauth/access_token', (asked) => {
    assert.equal(asked.headers.get('accept'), 'application/json')
    return {
      access_token: 'gho_16C7e42F292c6912E7710c838347Ae178B4a',
      scope: 'read:user,user:email',
      token_type: 'bearer',
    }
  })
  internet.on('GET https://api.github.com/user', (asked) => {
    assert.equal(asked.headers.get('authorization'), 'Bearer gho_16C7e42F292c6912E7710c838347Ae178B4a')
    assert.ok(asked.headers.get('user-agent'))
    return user
  })
  internet.on('GET https://api.github.com/user/emails', () => emails)
}

test('GitHub: the primary and verified address of the list, never that of the profile', async () => {
  github({ ...githubUser, avatar_url: 'https://avatars.githubusercontent.com/u/583231?v=4' }, [
    { email: 'second@example.com', verified: true, primary: false, visibility: null },
    { email: 'octocat@github.com', verified: true, primary: true, visibility: 'public' },
  ])
  const { url, reply } = await visit('github')
  assert.equal(url.searchParams.get('scope'), 'read:user user:email')
  assert.equal(url.searchParams.get('code_challenge_method'), 'S256')
  assert.deepEqual(toldFrontEnd(reply), { social_login: 'success', provider: 'github' })
  assert.deepEqual(await shown('octocat@github.com'), [
    {
      name: 'monalisa octocat',
      last_name: '',
      picture: 'https://avatars.githubusercontent.com/u/583231?v=4',
      is_verified: true,
      provider: 'github',
      issuer: 'https://github.com',
      subject: '583231',
    },
  ])
  github({ ...githubUser, id: 583232 }, [{ email: 'unproven@github.com', verified: false, primary: true }])
  assert.equal(toldFrontEnd((await visit('github')).reply).social_login, 'success')
  assert.equal(
    (await sql`SELECT 1 FROM users WHERE email = 'unproven@github.com' AND NOT is_verified`.execute(app.ctx.db)).rows
      .length,
    1,
  )
})

test('GitHub answers 200 to a code that is none, and that is a rejection', async () => {
  internet.on('POST https://github.com/login/oauth/access_token', () => ({
    error: 'bad_verification_code',
    error_description: 'The code passed is incorrect or expired.',
  }))
  assert.equal(toldFrontEnd((await visit('github')).reply).error, 'provider_error')
})

test('Facebook: never verified, and the token is used with a proof of the app', async () => {
  internet.on('GET https://graph.facebook.com/v23.0/oauth/access_token', () => new Response(null, { status: 405 }))
  internet.on('POST https://graph.facebook.com/v23.0/oauth/access_token', () => ({
    access_token: 'EAAtoken',
    token_type: 'bearer',
    expires_in: 5183944,
  }))
  internet.on('GET https://graph.facebook.com/v23.0/me', ({ url }) => {
    const proof = createHmac('sha256', 'facebook-secret').update('EAAtoken').digest('hex')
    assert.equal(url.searchParams.get('appsecret_proof'), proof)
    return {
      id: '10158469',
      name: 'Mary Ann Evans',
      first_name: 'Mary',
      last_name: 'Evans',
      email: 'mary.evans@example.com',
      verified: true,
      picture: {
        data: { height: 200, is_silhouette: false, url: 'https://platform-lookaside.fbsbx.com/x.jpg', width: 200 },
      },
    }
  })
  const { url, reply } = await visit('facebook')
  assert.equal(url.pathname, '/v23.0/dialog/oauth')
  assert.deepEqual(toldFrontEnd(reply), { social_login: 'success', provider: 'facebook' })
  const [user] = (await shown('mary.evans@example.com')) as { is_verified: boolean; picture: string; name: string }[]
  assert.deepEqual([user?.is_verified, user?.name], [false, 'Mary'])
  assert.equal(user?.picture, 'https://platform-lookaside.fbsbx.com/x.jpg')
})

test('Facebook says in a form of its own that a code is not good', async () => {
  internet.on('POST https://graph.facebook.com/v23.0/oauth/access_token', () =>
    Response.json(
      { error: { message: 'This authorization code has been used.', type: 'OAuthException', code: 100 } },
      { status: 400 },
    ),
  )
  const { url, flow } = await started(app, 'facebook')
  const state = url.searchParams.get('state')
  const reply = await app.get(`/auth/social/facebook/callback?code=x&state=${state}&format=json`, {
    headers: { cookie: `oauth_flow=${flow}` },
  })
  assert.deepEqual([reply.status, reply.json.code], [400, 'INVALID_TOKEN'])
})

test('Discord: verified as it says, the picture by its own rule', async () => {
  internet.on('POST https://discord.com/api/v10/oauth2/token', () => ({
    access_token: '6qrZcUqja7812RVdnEKjpzOL4CvHBFG',
    token_type: 'Bearer',
    expires_in: 604800,
    refresh_token: 'D43f5y0ahjqew82jZ4NViEr2YafMKhue',
    scope: 'identify email',
  }))
  internet.on('GET https://discord.com/api/v10/users/@me', () => ({
    id: '80351110224678912',
    username: 'nelly',
    discriminator: '0',
    global_name: 'Nelly',
    avatar: '8342729096ea3675442027381ff50dfe',
    verified: true,
    email: 'nelly@discord.example.com',
  }))
  const { url, reply } = await visit('discord')
  assert.equal(url.searchParams.get('scope'), 'identify email')
  assert.deepEqual(toldFrontEnd(reply), { social_login: 'success', provider: 'discord' })
  assert.deepEqual(await shown('nelly@discord.example.com'), [
    {
      name: 'Nelly',
      last_name: '',
      picture: 'https://cdn.discordapp.com/avatars/80351110224678912/8342729096ea3675442027381ff50dfe.png',
      is_verified: true,
      provider: 'discord',
      issuer: 'https://discord.com',
      subject: '80351110224678912',
    },
  ])
})

test('Apple: a signed secret, a form that leads to the GET, and no name that a browser brings', async () => {
  const { url, flow } = await started(app, 'apple')
  assert.equal(url.searchParams.get('response_mode'), 'form_post')
  const state = url.searchParams.get('state') ?? ''
  apple.claims = {
    iss: 'https://appleid.apple.com',
    aud: 'com.example.web',
    sub: '001473.fe6f',
    nonce: url.searchParams.get('nonce') ?? '',
    nonce_supported: true,
    email: 'dpdcnf87nu@privaterelay.appleid.com',
    email_verified: 'true',
    is_private_email: 'true',
  }
  const user = JSON.stringify({ name: { firstName: 'Mallory', lastName: 'M' }, email: 'victim@example.com' })
  const form = new URLSearchParams({ state, code: 'c.0.apple', user })
  // The request has no cookie, because another site sends the form.
  const posted = await app.post('/auth/social/apple/callback', form.toString(), {
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://appleid.apple.com' },
  })
  assert.equal(posted.status, 303)
  const back = new URL(String(posted.headers.location))
  assert.equal(back.origin, 'http://localhost:3000')
  assert.deepEqual([...back.searchParams.keys()].toSorted(), ['code', 'state'])
  const reply = await visitCallback(app, visitOf(back, flow))
  assert.deepEqual(toldFrontEnd(reply), { social_login: 'success', provider: 'apple' })
  const [row] = (await shown('dpdcnf87nu@privaterelay.appleid.com')) as { name: string; is_verified: boolean }[]
  assert.deepEqual([row?.name, row?.is_verified], ['', true])
  const secret = apple.tokenAsked?.form.get('client_secret') ?? ''
  const { iat = 0, exp = 0, ...claims } = decodeJwt(secret)
  assert.deepEqual(claims, { iss: 'TEAM123456', sub: 'com.example.web', aud: 'https://appleid.apple.com' })
  assert.equal(exp - iat, 300)
  assert.deepEqual(decodeProtectedHeader(secret), { alg: 'ES256', kid: 'KEY1234567' })
})

test('a visit to one provider does not come back from another', async () => {
  const { url, flow } = await started(app, 'google')
  const state = url.searchParams.get('state') ?? ''
  const asked = internet.asked.length
  const back = new URL(`http://localhost:3000/auth/social/github/callback?code=x&state=${state}`)
  assert.equal(toldFrontEnd(await visitCallback(app, visitOf(back, flow))).error, 'invalid_state')
  assert.equal(internet.asked.length, asked)
})

test('only Apple posts forms', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const reply = await app.post('/auth/social/google/callback', 'code=x&state=y', { headers })
  assert.equal(reply.status, 405)
})

const microsoftClaims = (nonce: string, more: object) => ({
  iss: `https://login.microsoftonline.com/${tenant}/v2.0`,
  tid: tenant,
  aud: 'microsoft-app',
  sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
  nonce,
  name: 'Abe Lincoln',
  ...more,
})

test('Microsoft: an identity of its tenant; its address counts only where the tenant owns the domain', async () => {
  const unproven = await visit('microsoft', (nonce) => {
    microsoft.claims = microsoftClaims(nonce, { email: 'abe@example.com', email_verified: true })
  })
  assert.deepEqual(toldFrontEnd(unproven.reply), { social_login: 'success', provider: 'microsoft' })
  const [row] = (await shown('abe@example.com')) as { issuer: string; is_verified: boolean }[]
  assert.deepEqual([row?.issuer, row?.is_verified], [`https://login.microsoftonline.com/${tenant}/v2.0`, false])
  await visit('microsoft', (nonce) => {
    microsoft.claims = microsoftClaims(nonce, { sub: 'owner', email: 'owner@example.com', xms_edov: true })
  })
  const [owner] = (await shown('owner@example.com')) as { is_verified: boolean }[]
  assert.equal(owner?.is_verified, true)
})

test('Microsoft: the same subject of another tenant is somebody else, and no tenant signs for another', async () => {
  const other = '9188040d-6c67-4c5b-b112-36a304b66dad'
  const more = { iss: `https://login.microsoftonline.com/${other}/v2.0`, tid: other, email: 'other@example.com' }
  await visit('microsoft', (nonce) => {
    microsoft.claims = microsoftClaims(nonce, more)
  })
  assert.equal((await shown('other@example.com')).length, 1)
  const mixed = await visit('microsoft', (nonce) => {
    microsoft.claims = microsoftClaims(nonce, { tid: other })
  })
  assert.equal(toldFrontEnd(mixed.reply).error, 'provider_error')
})

test('all six are offered, and every one of them is listed', async () => {
  const { json } = await app.get('/auth/social/providers')
  const names = ['google', 'github', 'facebook', 'apple', 'discord', 'microsoft']
  assert.deepEqual(
    json.providers.map(({ provider }: { provider: string }) => provider),
    names,
  )
  assert.deepEqual(json.allProviders, json.providers)
  assert.deepEqual(json.providers[0], {
    provider: 'google',
    enabled: true,
    loginUrl: 'http://localhost:3000/auth/social/google/login',
    apiLoginUrl: 'http://localhost:3000/auth/social/google/login-api',
  })
  for (const provider of ['oidc', 'twitter', '__proto__']) {
    assert.equal((await app.get(`/auth/social/${provider}/login`)).status, 404, provider)
  }
})

test('an app brings an access token where the provider says whom it was made for, and nowhere else', async () => {
  const accessToken = (provider: string) =>
    app.post(`/auth/social/${provider}/login-api`, { access_token: 'an-access-token' })
  internet.on('GET https://oauth2.googleapis.com/tokeninfo', () => ({ aud: 'somebody-else', azp: 'google-app' }))
  internet.on('GET https://openidconnect.googleapis.com/v1/userinfo', () => ({ sub: '110169484474386276334' }))
  internet.on('POST https://api.github.com/applications/github-app/token', (asked) => {
    const basic = `Basic ${Buffer.from('github-app:github-secret').toString('base64')}`
    assert.equal(asked.headers.get('authorization'), basic)
    return { id: 1, app: { client_id: 'another-app', name: 'x' }, user: { id: 583231 } }
  })
  internet.on('GET https://graph.facebook.com/v23.0/debug_token', () => ({
    data: { app_id: 'another', is_valid: true },
  }))
  internet.on('GET https://discord.com/api/v10/oauth2/@me', () => ({ application: { id: 'another' } }))
  for (const provider of ['google', 'github', 'facebook', 'discord', 'apple', 'microsoft']) {
    const { status, json } = await accessToken(provider)
    assert.deepEqual([status, json.code], [401, 'INVALID_PROVIDER_TOKEN'], provider)
  }
  internet.on('GET https://oauth2.googleapis.com/tokeninfo', () => ({ aud: 'google-app' }))
  internet.on('POST https://api.github.com/applications/github-app/token', () => ({ app: { client_id: 'github-app' } }))
  internet.on('GET https://graph.facebook.com/v23.0/debug_token', () => ({
    data: { app_id: 'facebook-app', is_valid: true, user_id: '10158469' },
  }))
  internet.on('GET https://graph.facebook.com/v23.0/me', () => ({ id: '10158469' }))
  internet.on('GET https://api.github.com/user', () => githubUser)
  internet.on('GET https://api.github.com/user/emails', () => [])
  internet.on('GET https://discord.com/api/v10/oauth2/@me', () => ({ application: { id: '157730590492196864' } }))
  for (const provider of ['google', 'github', 'facebook', 'discord']) {
    const { status, json, cookies } = await accessToken(provider)
    assert.deepEqual(
      [status, json.provider, json.loginType, json.is_new_user],
      [200, provider, 'social_auth_api', false],
    )
    assert.equal(cookies.session_id?.value, json.sessionId)
  }
})
