import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { flowVisitor } from '../../screens/support.ts'
import { registered } from '../../support/people.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
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
  webClient,
} from './sign-in-support.ts'
import { type MadeClient, type OAuthAdmin, oauthAdmin, oauthEnv, oauthModules } from './support.ts'

let app: TestApp
let admin: OAuthAdmin
let client: MadeClient
before(async () => {
  app = await startTestApp({ modules: oauthModules, env: oauthEnv })
  admin = await oauthAdmin(app)
  client = await webClient(admin)
})
after(() => app.stop())

const keys = async () => createLocalJWKSet((await app.get('/oauth/jwks')).json)

test('a user signs in, allows the access, and the client gets tokens', async () => {
  const user = await registered(app)
  const browser = flowVisitor(app)
  const begun = await follow(browser, await browser.open(authorizeAddress(client)))
  assert.match(begun.reply.text, /name="password"/)
  const signedIn = await browser.send(begun.page, { identifier: user.email, password: user.password })
  const asked = await follow(browser, signedIn)
  assert.match(asked.reply.text, /Notes wants to sign you in/)
  assert.match(asked.reply.text, /app\.example/)
  const { at } = await follow(browser, await browser.send('/oauth/consent', { decision: 'allow' }))
  assert.ok(at)
  assert.equal(at.origin + at.pathname, redirectUri)
  assert.equal(at.searchParams.get('state'), 'a state')
  assert.equal(at.searchParams.get('iss'), app.ctx.config.PUBLIC_URL)
  const reply = await redeemCode(app, client, codeIn(at))
  assert.equal(reply.status, 200, reply.text)
  const { access_token, id_token, refresh_token, ...others } = reply.json
  assert.deepEqual(others, { token_type: 'Bearer', expires_in: 600, scope: 'email openid profile' })
  assert.match(access_token, /^wat_/)
  assert.match(refresh_token, /^wrt_/)
  const { payload, protectedHeader } = await jwtVerify(id_token, await keys(), {
    issuer: app.ctx.config.PUBLIC_URL,
    audience: client.clientId,
    currentDate: app.ctx.clock.date(),
  })
  assert.equal(protectedHeader.alg, 'RS256')
  assert.equal(payload.sub, user.id)
  assert.equal(payload.nonce, 'a nonce')
  assert.deepEqual(payload.amr, ['pwd'])
  assert.equal(typeof payload.auth_time, 'number')
  assert.match(String(payload.sid), /^[\w-]{22}$/)
  const info = await userInfo(app, access_token)
  assert.equal(info.status, 200, info.text)
  assert.equal(info.json.sub, user.id)
  assert.equal(info.json.email, user.email)
  assert.equal(info.json.preferred_username, user.user_name)
  assert.equal(info.json.phone_number, undefined)
})

test('a user who has allowed the access before is not asked again', async () => {
  const { browser } = await signedInVisitor(app)
  await authorized(browser, client)
  const again = locationOf(await browser.open(authorizeAddress(client)))
  assert.equal(again.origin + again.pathname, redirectUri)
  assert.ok(codeIn(again))
  const silent = locationOf(await browser.open(authorizeAddress(client, { prompt: 'none' })))
  assert.ok(codeIn(silent))
  const more = locationOf(await browser.open(authorizeAddress(client, { prompt: 'none', scope: 'openid phone' })))
  assert.equal(more.searchParams.get('error'), 'consent_required')
})

test('a refresh token yields new tokens, and each can be used once', async () => {
  const { browser, user } = await signedInVisitor(app)
  const first = await tokensOf(app, browser, client)
  const second = await refreshWith(app, client, first.refresh_token)
  assert.equal(second.status, 200, second.text)
  assert.notEqual(second.json.refresh_token, first.refresh_token)
  assert.equal((await userInfo(app, second.json.access_token)).json.sub, user.id)
  const third = await refreshWith(app, client, second.json.refresh_token)
  assert.equal(third.status, 200, third.text)
  const reused = await refreshWith(app, client, first.refresh_token)
  assert.equal(reused.json.error, 'invalid_grant')
  assert.equal((await userInfo(app, third.json.access_token)).status, 401)
  assert.equal((await refreshWith(app, client, third.json.refresh_token)).json.error, 'invalid_grant')
})

test('signing out ends the access, unless it was given for longer', async () => {
  const { browser, user } = await signedInVisitor(app)
  const bound = await tokensOf(app, browser, client)
  const offline = await tokensOf(app, browser, client, { scope: 'openid offline_access' })
  assert.equal(offline.scope, 'offline_access openid')
  await browser.open('/logout')
  await browser.send('/logout')
  assert.equal((await userInfo(app, bound.access_token)).status, 401)
  assert.equal((await refreshWith(app, client, bound.refresh_token)).json.error, 'invalid_grant')
  assert.equal((await userInfo(app, offline.access_token)).json.sub, user.id)
  assert.equal((await refreshWith(app, client, offline.refresh_token)).status, 200)
})
