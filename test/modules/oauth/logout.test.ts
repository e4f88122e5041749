import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { hour } from '../../../src/lib/time.ts'
import type { Visitor } from '../../screens/support.ts'
import { signedInAs, withSession } from '../../support/people.ts'
import { type Reply, startTestApp, type TestApp } from '../../support/test-app.ts'
import { kidOf } from './key-support.ts'
import { locationOf, signedInVisitor, tokensOf, userInfo, webClient } from './sign-in-support.ts'
import { type MadeClient, type OAuthAdmin, oauthAdmin, oauthEnv, oauthModules, postForm } from './support.ts'

const back = 'https://app.example/bye'
let app: TestApp
let admin: OAuthAdmin
let client: MadeClient
let other: MadeClient
before(async () => {
  app = await startTestApp({
    modules: oauthModules,
    env: { ...oauthEnv, SESSION_IDLE_TTL: '90d', SESSION_ABSOLUTE_TTL: '365d' },
  })
  admin = await oauthAdmin(app)
  client = await webClient(admin, { post_logout_uris: [back, `${back}?from=wardenry`] })
  other = await webClient(admin, { name: 'Other', post_logout_uris: ['https://other.example/'] })
})
after(() => app.stop())

type Parameters = Record<string, string>
const address = (parameters: Parameters): string => `/oauth/logout?${new URLSearchParams(parameters)}`

async function signedIn(which = client) {
  const { browser, user } = await signedInVisitor(app)
  const { id_token, access_token } = await tokensOf(app, browser, which)
  const ask = (parameters: Parameters) => browser.open(address(parameters))
  const isIn = async () => (await browser.open('/account')).status === 200
  return { browser, user, id_token: id_token as string, access_token: access_token as string, ask, isIn }
}

const isQuestion = ({ status, text }: Reply): boolean =>
  status === 200 && text.includes('action="/oauth/logout/confirm')
const confirmed = async (browser: Visitor) => browser.send('/oauth/logout/confirm')
const signedOutNotice = '/login?logout=success'
const target = ({ headers }: Reply) => String(headers.location)

test('oidcc-rp-initiated-logout-discovery-endpoint-verification', async () => {
  const { json } = await app.get('/.well-known/openid-configuration')
  assert.equal(json.end_session_endpoint, `${app.ctx.config.PUBLIC_URL}/oauth/logout`)
})

test('oidcc-rp-initiated-logout: with the ID token of the session, the user is signed out without being asked', async () => {
  const { ask, isIn, id_token, access_token } = await signedIn()
  const reply = await ask({ id_token_hint: id_token, post_logout_redirect_uri: back, state: 'a state&more' })
  assert.equal(reply.status, 303, reply.text)
  assert.equal(target(reply), `${back}?state=a+state%26more`)
  assert.equal(await isIn(), false)
  assert.equal((await userInfo(app, access_token)).status, 401)
  // The button of the application leads back even when the session has already ended.
  assert.equal(target(await ask({ id_token_hint: id_token, post_logout_redirect_uri: back })), back)
})

test('a registered address is compared and used byte by byte', async () => {
  const { ask, id_token } = await signedIn()
  const uri = `${back}?from=wardenry`
  const reply = await ask({
    id_token_hint: id_token,
    client_id: client.clientId,
    post_logout_redirect_uri: uri,
    state: 'x',
  })
  assert.equal(target(reply), `${uri}&state=x`)
})

test('oidcc-rp-initiated-logout-no-state', async () => {
  const { ask, id_token } = await signedIn()
  assert.equal(target(await ask({ id_token_hint: id_token, post_logout_redirect_uri: back })), back)
})

test('oidcc-rp-initiated-logout-no-post-logout-redirect-uri', async () => {
  const { ask, isIn, id_token } = await signedIn()
  assert.equal(target(await ask({ id_token_hint: id_token, state: 'x' })), signedOutNotice)
  assert.equal(await isIn(), false)
})

for (const [name, parameters] of [
  ['oidcc-rp-initiated-logout-no-params', {}],
  ['oidcc-rp-initiated-logout-only-state', { state: 'x' }],
  ['oidcc-rp-initiated-logout-no-id-token-hint', { post_logout_redirect_uri: back, state: 'x' }],
] as const)
  test(`${name}: asks, and leads nowhere`, async () => {
    const { browser, ask, isIn } = await signedIn()
    assert.ok(isQuestion(await ask(parameters)))
    assert.ok(await isIn())
    assert.ok(isQuestion(await ask({ ...parameters, ui_locales: 'xx es' })))
    assert.equal(target(await confirmed(browser)), signedOutNotice)
    assert.equal(await isIn(), false)
    assert.equal(target(await ask(parameters)), signedOutNotice)
  })

test('with client_id instead of a hint, the page asks and then leads to the application', async () => {
  const { browser, ask, isIn } = await signedIn()
  const reply = await ask({ client_id: client.clientId, post_logout_redirect_uri: back, state: 'x' })
  assert.ok(isQuestion(reply))
  assert.match(reply.text, /return to app\.example/)
  assert.match(String(reply.headers['content-security-policy']), /form-action [^;]*https:\/\/app\.example/)
  assert.equal(target(await confirmed(browser)), `${back}?state=x`)
  assert.equal(await isIn(), false)
})

test('A55: no other address than a registered one of the client is used', async () => {
  const { ask, isIn, id_token } = await signedIn()
  for (const uri of [
    ...['https://evil.example/', `${back}/`, `${back}?a=b`, `${back}#x`, back.slice(0, -1), back.toUpperCase()],
    ...['https://other.example/', 'https://app.example/callback', 'javascript:alert(1)', '//evil.example'],
  ])
    for (const who of [{ id_token_hint: id_token }, { client_id: client.clientId }]) {
      const reply = await ask({ ...who, post_logout_redirect_uri: uri })
      assert.equal(reply.status, 400, uri)
      assert.equal(reply.headers.location, undefined)
      assert.ok(!reply.text.includes('evil.example'))
    }
  const foreign = {
    id_token_hint: id_token,
    client_id: other.clientId,
    post_logout_redirect_uri: 'https://other.example/',
  }
  assert.equal((await ask(foreign)).status, 400)
  const mixed = { id_token_hint: id_token, client_id: other.clientId, post_logout_redirect_uri: back }
  assert.equal((await ask(mixed)).status, 400)
  assert.equal((await ask({ client_id: 'nobody', post_logout_redirect_uri: back })).status, 400)
  assert.ok(await isIn())
  const { rows } = await sql`SELECT FROM audit_events
    WHERE event = 'oauth_request_refused' AND details->>'reason' = 'redirect_uri'`.execute(app.ctx.db)
  assert.ok(rows.length > 0)
})

for (const [name, more] of [
  ['oidcc-rp-initiated-logout-bad-post-logout-redirect-uri', 'https://app.example/other'],
  ['oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri', `${back}?extra=1`],
])
  test(`${name}`, async () => {
    const { ask, id_token } = await signedIn()
    const reply = await ask({ id_token_hint: id_token, post_logout_redirect_uri: String(more), state: 'x' })
    assert.equal(reply.status, 400)
    assert.match(reply.text, /Address not allowed/)
  })

test('oidcc-rp-initiated-logout-modified-id-token-hint, -bad-id-token-hint, and A35: other tokens are no hints', async () => {
  const { ask, isIn, id_token, access_token } = await signedIn()
  const [head = '', body = '', tail = ''] = id_token.split('.')
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
  const changed = Buffer.from(JSON.stringify({ ...claims, nonce: 'x' })).toString('base64url')
  const none = Buffer.from('{"alg":"none","typ":"JWT","kid":"x"}').toString('base64url')
  for (const hint of [
    ...[`${head}.${changed}.${tail}`, `${head}.${body}.`, `${none}.${body}.`, `${head}.${body}.${'A'.repeat(342)}`],
    ...['x', access_token, `${id_token} `],
  ]) {
    const reply = await ask({ id_token_hint: hint, post_logout_redirect_uri: back })
    assert.equal(reply.status, 400, hint)
    assert.match(reply.text, /not signed out yet/, hint)
  }
  assert.ok(await isIn())
})

test('A56: neither an image nor a form of another site signs a user out', async () => {
  const { browser, isIn, id_token } = await signedIn()
  const cross = { 'sec-fetch-site': 'cross-site' }
  const image = await app.get(address({}), { headers: { ...cross, 'sec-fetch-dest': 'image' } })
  assert.equal(target(image), signedOutNotice)
  const sent = { post_logout_redirect_uri: back, state: 'x', id_token_hint: id_token }
  const form = await postForm(app, '/oauth/logout', sent, { ...cross, origin: 'https://evil.example' })
  assert.equal(form.status, 303)
  assert.deepEqual(Object.fromEntries(locationOf(form).searchParams), sent)
  assert.equal(locationOf(form).pathname, '/oauth/logout')
  const forged = { client_id: client.clientId, form_token: 'x' }
  assert.equal((await browser.send('/oauth/logout/confirm', forged, cross)).status, 403)
  assert.equal(locationOf(await browser.send('/oauth/logout/confirm', forged)).pathname, '/oauth/logout')
  assert.ok(await isIn())
})

test('a hint of another session or person asks', async () => {
  const mine = await signedIn()
  const theirs = await signedIn()
  assert.ok(isQuestion(await mine.ask({ id_token_hint: theirs.id_token, post_logout_redirect_uri: back })))
  assert.ok((await mine.isIn()) && (await theirs.isIn()))
  const again = await signedInVisitor(app, mine.user)
  assert.ok(isQuestion(await again.browser.open(address({ id_token_hint: mine.id_token }))))
})

test('a prefetch does not sign out', async () => {
  const { browser, isIn, id_token } = await signedIn()
  const headers = { cookie: browser.cookie(), 'sec-purpose': 'prefetch', accept: 'text/html' }
  assert.equal((await app.get(address({ id_token_hint: id_token }), { headers })).status, 204)
  assert.ok(await isIn())
})

test('the ID token may have expired and its key may be retired, but not compromised or gone', async () => {
  const rotate = async (body: object) => {
    const { sessionToken } = await signedInAs(app, 'superadmin')
    const reply = await app.post('/auth/admin/oauth/keys/rotate', { alg: 'RS256', ...body }, withSession(sessionToken))
    assert.equal(reply.status, 200, reply.text)
    return reply.json.data.keys[0].outcome
  }
  const [first, second] = [await signedIn(), await signedIn()]
  assert.equal(await rotate({}), 'published')
  app.clock.advance(25 * hour)
  assert.equal(await rotate({}), 'activated')
  app.clock.advance(3 * hour)
  const { keys } = (await app.get('/oauth/jwks')).json
  assert.ok(!keys.some(({ kid }: { kid: string }) => kid === kidOf(first.id_token)))
  assert.equal(target(await first.ask({ id_token_hint: first.id_token, post_logout_redirect_uri: back })), back)
  const last = await signedIn()
  assert.equal(await rotate({ compromised: true }), 'replaced')
  assert.equal((await second.ask({ id_token_hint: second.id_token })).status, 400)
  assert.equal((await last.ask({ id_token_hint: last.id_token })).status, 400)
  const old = await signedIn()
  app.clock.advance(91 * 24 * hour)
  assert.equal((await old.ask({ id_token_hint: old.id_token })).status, 400)
})
