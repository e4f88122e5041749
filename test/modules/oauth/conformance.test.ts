import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { flowVisitor, type Visitor } from '../../screens/support.ts'
import { registered, type SignedIn } from '../../support/people.ts'
import { type Reply, startTestApp, type TestApp } from '../../support/test-app.ts'
import {
  authorizeAddress,
  follow,
  redeemCode,
  redirectUri,
  refreshWith,
  signedInVisitor,
  userInfo,
  verifier,
  webClient,
} from './sign-in-support.ts'
import { type MadeClient, oauthAdmin, oauthEnv, oauthModules, postForm } from './support.ts'

/** The modules of the certification plans oidcc-basic and oidcc-formpost-basic, by their names. */
describe('conformance', () => {
  let app: TestApp
  let client: MadeClient
  let user: SignedIn
  let browser: Visitor
  before(async () => {
    const env = { ...oauthEnv, RATE_LIMIT_OAUTH_AUTHORIZE: '10000/1m' }
    app = await startTestApp({ modules: [...oauthModules, 'onboarding'], env })
    const scopes = ['openid', 'profile', 'email', 'phone', 'address', 'offline_access']
    // As the plan demands: the client sends no challenge.
    client = await webClient(await oauthAdmin(app), { scopes, require_pkce: false, trusted: true })
    const signedIn = await signedInVisitor(app)
    user = signedIn.user
    browser = signedIn.browser
  })
  after(() => app.stop())

  const without = { code_challenge: '', code_challenge_method: '', scope: 'openid' }

  for (const mode of ['query', 'form_post'] as const)
    describe(
      mode === 'query' ? 'oidcc-basic-certification-test-plan' : 'oidcc-formpost-basic-certification-test-plan',
      () => {
        const address = (more: Record<string, string> = {}) =>
          authorizeAddress(client, { ...without, ...(mode === 'form_post' && { response_mode: mode }), ...more })

        /** The members that the client gets. */
        const membersOf = ({ reply, at }: { reply: Reply; at: URL | undefined }): Record<string, string> => {
          if (mode === 'query') return Object.fromEntries(at?.searchParams ?? [])
          assert.match(
            reply.text,
            /<form class="stack" id="form-post" method="post" action="https:\/\/app\.example\/callback">/,
          )
          return Object.fromEntries(
            [...reply.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(
              ([, name = '', value = '']) => [name, value],
            ),
          )
        }
        const ask = async (by: Visitor, more: Record<string, string> = {}) =>
          membersOf(await follow(by, await by.open(address(more))))
        const redeem = (code: string | undefined, more: Record<string, string> = {}) =>
          redeemCode(app, client, code ?? '', { code_verifier: '', ...more })
        const claimsOf = async (more: Record<string, string> = {}, by = browser) => {
          const reply = await redeem((await ask(by, more)).code)
          assert.equal(reply.status, 200, reply.text)
          return { ...reply.json, claims: decodeJwt(reply.json.id_token) }
        }
        const asksForPassword = async (by: Visitor, more: Record<string, string>) => {
          const { reply } = await follow(by, await by.open(address(more)))
          assert.match(reply.text, /name="(password|proof)"/)
          return reply
        }

        test('oidcc-server', async () => {
          const { claims, access_token } = await claimsOf()
          assert.equal(claims.sub, user.id)
          assert.equal((await userInfo(app, access_token)).json.sub, user.id)
        })

        test('oidcc-response-type-missing', async () => {
          const members = await ask(browser, { response_type: '' })
          assert.equal(members.error, 'invalid_request')
          assert.equal(members.state, 'a state')
        })

        test('oidcc-idtoken-signature', async () => {
          const { id_token } = await claimsOf()
          const { protectedHeader } = await jwtVerify(
            id_token,
            createLocalJWKSet((await app.get('/oauth/jwks')).json),
            {
              issuer: app.ctx.config.PUBLIC_URL,
              audience: client.clientId,
              currentDate: app.ctx.clock.date(),
            },
          )
          assert.deepEqual([protectedHeader.alg, typeof protectedHeader.kid], ['RS256', 'string'])
        })

        test('oidcc-userinfo-get', async () => {
          assert.equal((await userInfo(app, (await claimsOf()).access_token)).json.sub, user.id)
        })

        test('oidcc-userinfo-post-header', async () => {
          const { access_token } = await claimsOf()
          const reply = await app.call('POST', '/oauth/userinfo', {
            headers: { authorization: `Bearer ${access_token}` },
          })
          assert.equal(reply.json.sub, user.id, reply.text)
        })

        test('oidcc-userinfo-post-body', async () => {
          const { access_token } = await claimsOf()
          assert.equal((await postForm(app, '/oauth/userinfo', { access_token })).json.sub, user.id)
          assert.equal((await app.get(`/oauth/userinfo?access_token=${access_token}`)).status, 401)
        })

        test('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', async () => {
          const { claims } = await claimsOf({ nonce: '' })
          assert.equal('nonce' in claims, false)
        })

        for (const [scope, names] of [
          ['profile', ['preferred_username', 'updated_at']],
          ['email', ['email', 'email_verified']],
          ['address', []],
          ['phone', []],
        ] as const)
          test(`oidcc-scope-${scope}`, async () => {
            const { access_token } = await claimsOf({ scope: `openid ${scope}` })
            const { json } = await userInfo(app, access_token)
            for (const name of names) assert.ok(name in json, name)
            assert.equal('email' in json, scope === 'email')
          })

        test('oidcc-scope-all', async () => {
          const { access_token } = await claimsOf({ scope: 'openid profile email address phone' })
          const { json } = await userInfo(app, access_token)
          assert.deepEqual([json.sub, json.email, json.preferred_username], [user.id, user.email, user.user_name])
        })

        test('oidcc-ensure-other-scope-order-succeeds', async () => {
          assert.equal((await claimsOf({ scope: 'email openid' })).claims.sub, user.id)
        })

        test('oidcc-alternate-happy-flow', async () => {
          const second = await claimsOf({ state: 'another state', nonce: 'another nonce' })
          assert.equal(second.claims.nonce, 'another nonce')
        })

        for (const display of ['page', 'popup'])
          test(`oidcc-display-${display}`, async () => {
            assert.ok((await ask(browser, { display })).code)
          })

        test('oidcc-prompt-login', async () => {
          const own = await signedInVisitor(app)
          const first = await claimsOf({}, own.browser)
          app.clock.advance(2_000)
          const reply = await asksForPassword(own.browser, { prompt: 'login' })
          const action = /action="(\/account\/confirm[^"]*)"/.exec(reply.text)?.[1] ?? ''
          const confirmed = await own.browser.send(action, { proof: own.user.password })
          const { code } = membersOf(await follow(own.browser, confirmed))
          const again = decodeJwt((await redeem(code)).json.id_token)
          assert.ok(Number(again.auth_time) > Number(first.claims.auth_time))
        })

        test('oidcc-prompt-none-not-logged-in', async () => {
          assert.equal((await ask(flowVisitor(app), { prompt: 'none' })).error, 'login_required')
        })

        test('oidcc-prompt-none-logged-in', async () => {
          assert.equal((await claimsOf({ prompt: 'none' })).claims.sub, user.id)
        })

        test('oidcc-max-age-1', async () => {
          const own = await signedInVisitor(app)
          app.clock.advance(2_000)
          await asksForPassword(own.browser, { max_age: '1' })
        })

        test('oidcc-max-age-10000', async () => {
          const own = await signedInVisitor(app)
          app.clock.advance(2_000)
          const { claims } = await claimsOf({ max_age: '10000' }, own.browser)
          const again = await claimsOf({ max_age: '10000' }, own.browser)
          assert.equal(claims.auth_time, again.claims.auth_time)
        })

        test('oidcc-ensure-request-with-unknown-parameter-succeeds', async () => {
          assert.ok((await ask(browser, { extra: 'foobar' })).code)
        })

        test('oidcc-id-token-hint', async () => {
          const { id_token } = await claimsOf()
          assert.ok((await ask(browser, { prompt: 'none', id_token_hint: id_token })).code)
          const other = await signedInVisitor(app)
          assert.equal((await ask(other.browser, { prompt: 'none', id_token_hint: id_token })).error, 'login_required')
        })

        test('oidcc-login-hint', async () => {
          const somebody = await registered(app)
          const reply = await asksForPassword(flowVisitor(app), { login_hint: somebody.email })
          assert.match(reply.text, new RegExp(`value="${somebody.email}"`))
        })

        test('oidcc-ui-locales', async () => {
          const reply = await asksForPassword(flowVisitor(app), { ui_locales: 'es' })
          assert.match(reply.text, /<html lang="es"/)
        })

        test('oidcc-claims-locales', async () => {
          assert.ok((await ask(browser, { claims_locales: 'se' })).code)
        })

        test('oidcc-ensure-request-with-acr-values-succeeds', async () => {
          assert.ok((await ask(browser, { acr_values: 'urn:mace:incommon:iap:silver 1' })).code)
        })

        test('oidcc-codereuse', async () => {
          const { code } = await ask(browser)
          assert.equal((await redeem(code)).status, 200)
          assert.equal((await redeem(code)).json.error, 'invalid_grant')
        })

        test('oidcc-codereuse-30seconds', async () => {
          const { code } = await ask(browser)
          const { json } = await redeem(code)
          app.clock.advance(30_000)
          assert.equal((await redeem(code)).json.error, 'invalid_grant')
          assert.equal((await userInfo(app, json.access_token)).status, 401)
        })

        test('oidcc-ensure-registered-redirect-uri', async () => {
          const reply = await browser.open(address({ redirect_uri: `${redirectUri}/other` }))
          assert.deepEqual([reply.status, reply.headers.location], [400, undefined])
        })

        test('oidcc-ensure-post-request-succeeds', async () => {
          const headers = {
            'content-type': 'application/x-www-form-urlencoded',
            accept: 'text/html',
            'sec-fetch-site': 'cross-site',
          }
          const body = address().split('?')[1] ?? ''
          const reply = await app.call('POST', '/oauth/authorize', { headers, body })
          assert.equal(reply.status, 303)
          assert.ok(membersOf(await follow(browser, await browser.open(String(reply.headers.location)))).code)
        })

        test('oidcc-server-client-secret-post', async () => {
          const { code = '' } = await ask(browser)
          const parameters = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
          const proof = { client_id: client.clientId, client_secret: client.secret }
          assert.equal((await postForm(app, '/oauth/token', { ...parameters, ...proof })).status, 200)
        })

        for (const [name, more, error] of [
          ['request-uri-unsigned', { request_uri: 'https://app.example/request.jwt' }, 'request_uri_not_supported'],
          ['unsigned-request-object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
        ] as const)
          test(`oidcc-${name}-supported-correctly-or-rejected-as-unsupported`, async () => {
            assert.equal((await ask(browser, more)).error, error)
          })

        test('oidcc-ensure-request-object-with-redirect-uri', async () => {
          assert.equal((await ask(browser, { request: 'eyJhbGciOiJub25lIn0.e30.' })).error, 'request_not_supported')
        })

        test('oidcc-claims-essential', async () => {
          const claims = JSON.stringify({ userinfo: { name: { essential: true } }, id_token: { email: null } })
          const tokens = await claimsOf({ scope: 'openid profile email', claims })
          assert.equal(tokens.claims.email, user.email)
          assert.ok('preferred_username' in (await userInfo(app, tokens.access_token)).json)
        })

        test('oidcc-refresh-token', async () => {
          const first = await claimsOf({ scope: 'openid offline_access', prompt: 'none' })
          const { json } = await refreshWith(app, client, first.refresh_token)
          const again = decodeJwt(json.id_token)
          assert.deepEqual([again.sub, again.aud, again.iss], [first.claims.sub, first.claims.aud, first.claims.iss])
          assert.equal(again.auth_time, first.claims.auth_time)
        })

        test('oidcc-ensure-request-with-valid-pkce-succeeds', async () => {
          const { searchParams } = new URL(authorizeAddress(client), 'http://localhost')
          const pkce = { code_challenge: searchParams.get('code_challenge') ?? '', code_challenge_method: 'S256' }
          const { code } = await ask(browser, pkce)
          assert.equal((await redeem(code, { code_verifier: verifier })).status, 200)
        })
      },
    )

  test('oidcc-discovery-endpoint-verification', async () => {
    const { json } = await app.get('/.well-known/openid-configuration')
    for (const name of ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'])
      assert.ok(String(json[name]).startsWith(`${json.issuer}/oauth/`), name)
    assert.equal(json.issuer, app.ctx.config.PUBLIC_URL)
    assert.ok(json.id_token_signing_alg_values_supported.includes('RS256'))
    assert.deepEqual(json.response_types_supported, ['code'])
    assert.ok(json.scopes_supported.includes('openid'))
    assert.ok(json.claims_supported.includes('address'))
  })
})
