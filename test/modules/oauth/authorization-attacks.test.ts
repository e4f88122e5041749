import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { visitor } from '../../screens/support.ts'
import { registered } from '../../support/people.ts'
import { auditOf } from '../../support/rows.ts'
import { type Reply, startTestApp, type TestApp } from '../../support/test-app.ts'
import {
  authorizeAddress,
  authorized,
  codeIn,
  follow,
  locationOf,
  redeemCode,
  redirectUri,
  refreshWith,
  signedInVisitor,
  tokensOf,
  userInfo,
  verifier,
  webClient,
} from './sign-in-support.ts'
import { basic, type MadeClient, type OAuthAdmin, oauthAdmin, oauthEnv, oauthModules, postForm } from './support.ts'

let app: TestApp
let admin: OAuthAdmin
let client: MadeClient
let other: MadeClient
before(async () => {
  const env = {
    ...oauthEnv,
    RATE_LIMIT_OAUTH_AUTHORIZE: '10000/1m',
    RATE_LIMIT_OAUTH_GRANT_FAIL: '10000/1m',
    LOCKOUT_MAX_FAILURES: '10',
  }
  app = await startTestApp({ modules: oauthModules, env })
  admin = await oauthAdmin(app)
  client = await webClient(admin)
  other = await webClient(admin, { name: 'Other', redirect_uris: ['https://other.example/cb'] })
})
after(() => app.stop())

const html = { headers: { accept: 'text/html' } }
const assertStays = (reply: Reply, about: string) => {
  assert.equal(reply.status, 400, about)
  assert.equal(reply.headers.location, undefined, about)
}

test('A01, A02, A06: nobody is sent to an address that is not registered, nor by an unknown client', async () => {
  for (const address of [
    ...[
      'https://app.example/callback/../x',
      'https://app.example/callback%2f..%2fx',
      'https://app.example/callback/..;/x',
    ],
    ...[
      'https://app.example/callback?x',
      'https://app.example//callback',
      'https://app.example/callback#x',
      '//app.example/callback',
    ],
    ...[
      'https://app.example@evil.example/callback',
      'https://a@b@app.example/callback',
      'https://app.example:443@evil.example',
    ],
    ...[
      'https://APP.example/callback',
      'https://app.example:443/callback',
      'https://app.example/callback/',
      'javascript:alert(1)',
      '',
    ],
  ]) {
    assertStays(await app.get(authorizeAddress(client, { redirect_uri: address }), html), address)
    assertStays(await app.get(authorizeAddress(client, { redirect_uri: address, prompt: 'none' }), html), address)
  }
  for (const clientId of ['nobody', '', 'x'.repeat(3_000), "' OR 1=1", '%00'])
    assertStays(
      await app.get(authorizeAddress({ clientId }, { redirect_uri: 'https://evil.example/cb' }), html),
      clientId,
    )
})

test('a machine cannot sign users in, and a disabled client sends nobody anywhere', async () => {
  const { id } = await admin.application()
  const server = await admin.client({ application_id: id, type: 'resource_server', name: 'API' })
  assertStays(await app.get(authorizeAddress(server), html), 'resource server')
  const disabled = await webClient(admin)
  await admin.update(disabled.clientId, { enabled: false })
  assertStays(await app.get(authorizeAddress(disabled), html), 'disabled')
})

test('A11 and other wrong parameters are reported to the client, with its state and the issuer', async () => {
  for (const [more, error] of [
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: '' }, 'invalid_request'],
    [{ code_challenge: 'c'.repeat(42) }, 'invalid_request'],
    [{ code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'code id_token' }, 'unsupported_response_type'],
    [{ response_type: '' }, 'invalid_request'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ scope: 'openid admin' }, 'invalid_scope'],
    [{ scope: '' }, 'invalid_scope'],
    [{ prompt: 'none login' }, 'invalid_request'],
    [{ prompt: 'maybe' }, 'invalid_request'],
    [{ max_age: '-1' }, 'invalid_request'],
    [{ request: 'eyJ.e.y' }, 'request_not_supported'],
    [{ request_uri: 'https://evil.example/r' }, 'request_uri_not_supported'],
    [{ registration: '{}' }, 'registration_not_supported'],
    [{ resource: 'https://nowhere.example' }, 'invalid_target'],
    [{ claims: '{' }, 'invalid_request'],
    [{ claims: '[]' }, 'invalid_request'],
    [{ id_token_hint: 'eyJ.e.y' }, 'invalid_request'],
  ] as const) {
    const at = locationOf(await app.get(authorizeAddress(client, more), html))
    assert.equal(at.origin + at.pathname, redirectUri, JSON.stringify(more))
    assert.equal(at.searchParams.get('error'), error, JSON.stringify(more))
    assert.equal(at.searchParams.get('state'), 'a state')
    assert.equal(at.searchParams.get('iss'), app.ctx.config.PUBLIC_URL)
    assert.equal(at.searchParams.has('code'), false)
  }
  const long = locationOf(await app.get(authorizeAddress(client, { state: 's'.repeat(1_025) }), html))
  assert.equal(long.searchParams.get('error'), 'invalid_request')
  assert.equal(long.searchParams.has('state'), false)
  assertStays(await app.get(`${authorizeAddress(client)}&state=another`, html), 'a repeated parameter')
  for (const [about, more] of [
    ['a line break', '&foo=%0d%0a'],
    ['U+0000', '&foo=%00'],
  ] as const)
    assertStays(await app.get(authorizeAddress(client) + more, html), about)
})

test('A08, A09, A10, A14: a code works only for its client, with its address and its verifier', async () => {
  const { browser, user } = await signedInVisitor(app)
  const code = codeIn(await authorized(browser, client))
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  for (const [asking, more] of [
    [other, {}],
    [other, { redirect_uri: 'https://other.example/cb' }],
    [client, { code_verifier: '' }],
    [client, { code_verifier: challenge }],
    [client, { code_verifier: 'w'.repeat(64) }],
    [client, { redirect_uri: 'https://app.example/callback/' }],
    [client, { code: `${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}` }],
  ] as const) {
    const reply = await redeemCode(app, asking, code, more)
    assert.equal(reply.status, 400, reply.text)
    assert.equal(reply.json.error, 'invalid_grant', JSON.stringify(more))
  }
  const unknown = await postForm(app, '/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
  })
  assert.equal(unknown.json.error, 'invalid_client')
  const { json, status } = await redeemCode(app, client, code)
  assert.equal(status, 200)
  // With something else that is wrong, using it again changes nothing.
  for (const [asking, more] of [
    [other, {}],
    [client, { code_verifier: 'w'.repeat(64) }],
  ] as const)
    assert.equal((await redeemCode(app, asking, code, more)).json.error, 'invalid_grant')
  assert.equal((await userInfo(app, json.access_token)).json.sub, user.id)
})

test('A10: a verifier without a challenge is rejected', async () => {
  const old = await webClient(admin, { require_pkce: false })
  const { browser } = await signedInVisitor(app)
  const without = { code_challenge: '', code_challenge_method: '' }
  const code = codeIn(await authorized(browser, old, without))
  assert.equal((await redeemCode(app, old, code)).json.error, 'invalid_grant')
  assert.equal((await redeemCode(app, old, code, { code_verifier: '' })).status, 200)
})

test('A13: a code that is used again ends the access that it gave', async () => {
  const { browser } = await signedInVisitor(app)
  const code = codeIn(await authorized(browser, client))
  const { json } = await redeemCode(app, client, code)
  app.clock.advance(30_000)
  assert.equal((await redeemCode(app, client, code)).json.error, 'invalid_grant')
  assert.equal((await userInfo(app, json.access_token)).status, 401)
  assert.equal((await refreshWith(app, client, json.refresh_token)).json.error, 'invalid_grant')
  assert.equal((await auditOf(app, 'oauth_code_reused')).length, 1)
})

test('a code expires after a minute, and one that nobody redeems gives no access', async () => {
  const { browser } = await signedInVisitor(app)
  const code = codeIn(await authorized(browser, client))
  app.clock.advance(60_001)
  assert.equal((await redeemCode(app, client, code)).json.error, 'invalid_grant')
})

test('A17, A18, A19: a refresh token works only for its client, once, and within its grant', async () => {
  const { browser } = await signedInVisitor(app)
  const first = await tokensOf(app, browser, client)
  assert.equal((await refreshWith(app, other, first.refresh_token)).json.error, 'invalid_grant')
  const body = { grant_type: 'refresh_token', refresh_token: first.refresh_token }
  assert.equal((await postForm(app, '/oauth/token', body)).json.error, 'invalid_client')
  assert.equal(
    (await refreshWith(app, client, first.refresh_token, { scope: 'openid roles' })).json.error,
    'invalid_scope',
  )
  assert.equal(
    (await refreshWith(app, client, first.refresh_token, { resource: 'https://nowhere.example' })).json.error,
    'invalid_target',
  )
  const second = await refreshWith(app, client, first.refresh_token, { scope: 'openid' })
  assert.equal(second.json.scope, 'openid')
  const lost = await refreshWith(app, client, first.refresh_token)
  assert.equal(lost.json.refresh_token, second.json.refresh_token, 'a repeated request gets the same successor')
  const third = await refreshWith(app, client, second.json.refresh_token)
  assert.equal(third.json.scope, 'email openid profile', 'the refresh token keeps all scopes')
  const reused = await refreshWith(app, client, first.refresh_token, { scope: 'openid roles' })
  assert.equal(reused.json.error, 'invalid_grant', 'whatever else is wrong')
  assert.equal((await refreshWith(app, client, third.json.refresh_token)).json.error, 'invalid_grant')
  assert.equal((await auditOf(app, 'oauth_refresh_reused')).length, 1)
})

test('a replaced refresh token that is used after the grace ends the access', async () => {
  const { browser } = await signedInVisitor(app)
  const first = await tokensOf(app, browser, client)
  const second = await refreshWith(app, client, first.refresh_token)
  app.clock.advance(10_001)
  assert.equal((await refreshWith(app, client, first.refresh_token)).json.error, 'invalid_grant')
  assert.equal((await refreshWith(app, client, second.json.refresh_token)).json.error, 'invalid_grant')
})

test('A20, A50: a user who is blocked, deleted or changed gives nothing any more, nor does a disabled client get it', async () => {
  for (const [about, change] of [
    ['blocked', (id: string) => sql`INSERT INTO user_blocks (user_id, since, reason) VALUES (${id}, now(), 'test')`],
    ['deleted', (id: string) => sql`UPDATE users SET deleted_at = now() WHERE id = ${id}`],
    ['another type', (id: string) => sql`UPDATE users SET user_type = 'writer' WHERE id = ${id}`],
    ['another address', (id: string) => sql`UPDATE users SET email = ${`${id}@example.com`} WHERE id = ${id}`],
    [
      'session ended',
      (id: string) => sql`UPDATE sessions SET status = 'revoked', ended_at = now() WHERE user_id = ${id}`,
    ],
    ['session erased', (id: string) => sql`DELETE FROM sessions WHERE user_id = ${id}`],
  ] as const) {
    const { browser, user } = await signedInVisitor(app)
    const tokens = await tokensOf(app, browser, client)
    const code = codeIn(await authorized(browser, client))
    await change(user.id).execute(app.ctx.db)
    assert.equal((await redeemCode(app, client, code)).json.error, 'invalid_grant', about)
    assert.equal((await refreshWith(app, client, tokens.refresh_token)).json.error, 'invalid_grant', about)
  }
  const { browser } = await signedInVisitor(app)
  const ended = await webClient(admin)
  const tokens = await tokensOf(app, browser, ended)
  await admin.update(ended.clientId, { enabled: false })
  assert.equal((await userInfo(app, tokens.access_token)).status, 401)
  assert.equal((await refreshWith(app, ended, tokens.refresh_token)).json.error, 'invalid_client')
  await admin.update(ended.clientId, { enabled: true })
  assert.equal((await userInfo(app, tokens.access_token)).status, 401)
  assert.equal((await refreshWith(app, ended, tokens.refresh_token)).json.error, 'invalid_grant')
})

test('a new password ends also the access that outlasts sessions', async () => {
  const { browser, user } = await signedInVisitor(app)
  const tokens = await tokensOf(app, browser, client, { scope: 'openid offline_access' })
  const password = 'a lighthouse in the far north'
  const body = { current_password: user.password, new_password: password }
  const changed = await app.call('POST', '/auth/password-change/self', {
    body,
    headers: { 'x-session-id': user.sessionToken },
  })
  assert.equal(changed.status, 200, changed.text)
  assert.equal((await userInfo(app, tokens.access_token)).status, 401)
  assert.equal((await refreshWith(app, client, tokens.refresh_token)).json.error, 'invalid_grant')
})

test('while wrong passwords lock the account, a session from before gives no new access', async () => {
  const { browser, user } = await signedInVisitor(app)
  await authorized(browser, client)
  app.clock.advance(1_000)
  for (let count = 0; count < 10; count++) {
    await app.post(
      '/auth/login',
      { email: user.email, password: `wrong ${count}` },
      { headers: { 'user-agent': 'elsewhere' } },
    )
    app.clock.advance(15 * 60_000)
  }
  const { rows } = await sql`SELECT FROM audit_events WHERE event = 'login_locked' AND target_id = ${user.id}`.execute(
    app.ctx.db,
  )
  assert.ok(rows.length > 0)
  const silent = await askedSilently(browser, { prompt: 'none' })
  assert.equal(silent.searchParams.get('error'), 'login_required')
})

test('A39, A41: only the browser that began the request, and the person who saw the page, can allow the access', async () => {
  const attacker = visitor(app)
  const begun = locationOf(await attacker.open(authorizeAddress(client)))
  const id = begun.searchParams.get('request') ?? ''
  const { browser: victim } = await signedInVisitor(app)
  // It has a request of its own.
  await victim.open(authorizeAddress(client))
  assertStays(await victim.open(begun.pathname + begun.search), 'continued in another browser')
  assertStays(await victim.open(`/oauth/consent?request=${id}`), 'the page in another browser')
  const { browser } = await signedInVisitor(app)
  const asked = await follow(browser, await browser.open(authorizeAddress(client)))
  assert.match(asked.reply.text, /wants to sign you in/)
  const forged = await browser.send('/oauth/consent', { decision: 'allow', form_token: 'x.y' })
  assert.equal(forged.status, 400)
  const again = await follow(browser, await browser.open(authorizeAddress(client)))
  assert.match(again.reply.text, /wants to sign you in/)
  const elsewhere = await browser.send('/oauth/consent', { decision: 'allow' }, { 'sec-fetch-site': 'cross-site' })
  assert.equal(elsewhere.status, 403)
  const mine = await browser.open(asked.page)
  const [, token = ''] = /name="form_token" value="([^"]+)"/.exec(mine.text) ?? []
  const ada = await registered(app)
  await browser.open('/logout')
  await browser.send('/logout')
  await browser.open('/login')
  await browser.send('/login', { identifier: ada.email, password: ada.password })
  await browser.open(asked.page)
  const stale = await browser.send('/oauth/consent', { decision: 'allow', form_token: token })
  assert.equal(stale.status, 400)
  assert.equal(stale.headers.location, undefined)
})

test('while many requests are open, an address that has several of them gets no further one', async () => {
  const fill = (count: number, address: string) =>
    sql`INSERT INTO oauth_requests (browser_hash, client_id, params, ip_address, expires_at)
      SELECT decode(md5(n::text || ${address}), 'hex'), (SELECT id FROM oauth_clients LIMIT 1), '{}', ${address},
        ${new Date(app.clock.now() + 60_000)} FROM generate_series(1, ${count}::int) n`.execute(app.ctx.db)
  const ask = () => app.get(authorizeAddress(client), { headers: { accept: 'text/html' }, from: '192.0.2.2' })
  await fill(45_000, '192.0.2.1')
  app.clock.advance(1_000)
  assert.equal((await ask()).status, 303)
  await fill(20, '192.0.2.2')
  const rejected = await ask()
  assert.equal(rejected.status, 429)
  assert.ok(Number(rejected.headers['retry-after']) > 0)
  await sql`DELETE FROM oauth_requests`.execute(app.ctx.db)
  app.clock.advance(1_000)
  assert.equal((await ask()).status, 303)
})

test('A40: the page is not shown in a frame', async () => {
  const { browser } = await signedInVisitor(app)
  const { page, reply } = await follow(browser, await browser.open(authorizeAddress(client)))
  assert.match(String(reply.headers['content-security-policy']), /frame-ancestors 'none'/)
  assert.match(String(reply.headers['content-security-policy']), /form-action 'self' [^;]*https:\/\/app\.example/)
  const framed = await app.get(page, {
    headers: { accept: 'text/html', cookie: browser.cookie(), 'sec-fetch-dest': 'iframe' },
  })
  assert.equal(framed.status, 403)
})

test('A57, A60: a response by form is escaped, and every response names the issuer', async () => {
  const { browser } = await signedInVisitor(app)
  const state = '"><script>alert(1)</script></form>'
  await authorized(browser, client)
  const page = await browser.open(authorizeAddress(client, { response_mode: 'form_post', state }))
  assert.equal(page.status, 200)
  assert.doesNotMatch(page.text, /<script>alert/)
  assert.match(page.text, /action="https:\/\/app\.example\/callback"/)
  assert.match(page.text, /name="code" value="wac_/)
  assert.match(page.text, new RegExp(`name="iss" value="${app.ctx.config.PUBLIC_URL}"`))
  assert.match(page.text, /value="&quot;&gt;&lt;script/)
})

test('A35: an ID token is no access token', async () => {
  const { browser } = await signedInVisitor(app)
  const { id_token, access_token, refresh_token } = await tokensOf(app, browser, client)
  for (const text of [id_token, refresh_token, 'wat_', 'x']) assert.equal((await userInfo(app, text)).status, 401)
  const hint = (text: string) => askedSilently(browser, { prompt: 'none', id_token_hint: text })
  assert.ok(codeIn(await hint(id_token)))
  assert.equal((await hint(access_token)).searchParams.get('error'), 'invalid_request')
})

const askedSilently = async (browser: ReturnType<typeof visitor>, more: Record<string, string>) =>
  locationOf(await browser.open(authorizeAddress(client, more)))

test('a token without openid gets no claims', async () => {
  const { browser } = await signedInVisitor(app)
  const { access_token, id_token } = await tokensOf(app, browser, client, { scope: 'email' })
  assert.equal(id_token, undefined)
  const reply = await userInfo(app, access_token)
  assert.equal(reply.status, 403)
  assert.match(String(reply.headers['www-authenticate']), /error="insufficient_scope"/)
})

test('secrets are in no log line and no row', async () => {
  const { browser } = await signedInVisitor(app)
  const code = codeIn(await authorized(browser, client))
  const { json } = await redeemCode(app, client, code)
  const rows = await sql<{ text: string }>`SELECT (SELECT string_agg(t::text, ' ') FROM oauth_codes t)
    || (SELECT string_agg(t::text, ' ') FROM oauth_refresh_tokens t) || (SELECT string_agg(t::text, ' ') FROM oauth_grants t)
    || (SELECT string_agg(t::text, ' ') FROM audit_events t) AS text`.execute(app.ctx.db)
  for (const secret of [code, json.access_token, json.refresh_token, json.id_token, basic(client).authorization]) {
    assert.equal(app.logged().includes(secret), false)
    assert.equal(rows.rows[0]?.text.includes(secret), false)
  }
})
