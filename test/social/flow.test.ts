import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { type OidcServer, startOidcServer } from './oidc-server.ts'
import {
  jsonSignIn,
  signedInBy,
  started,
  toldFrontEnd,
  type Visit,
  visitCallback,
  visited,
  visitOf,
} from './support.ts'

let server: OidcServer
let app: TestApp
before(async () => {
  server = await startOidcServer()
  app = await startTestApp({
    env: {
      ...server.env,
      SESSION_MAX_PER_USER: '50',
    },
  })
})
after(async () => {
  await app?.stop()
  await server?.stop()
})

test('a person goes to a provider, comes back, and is signed in by the cookie', async () => {
  server.people.set('ada', {
    sub: 'ada',
    email: 'Ada.Flow@Example.com',
    email_verified: true,
    given_name: 'Ada',
    family_name: 'Lovelace',
  })
  const reply = await signedInBy(app, server, 'ada')
  assert.deepEqual(toldFrontEnd(reply), { social_login: 'success', provider: 'oidc' })
  const current = await app.get('/auth/session/current', {
    headers: { cookie: `session_id=${reply.cookies.session_id?.value}` },
  })
  assert.equal(current.status, 200)
  assert.equal(current.json.success, true)
  assert.equal(current.json.user.email, 'ada.flow@example.com')
  assert.equal(current.json.user.is_verified, true)
  assert.equal(current.json.user.name, 'Ada')
  assert.equal(reply.cookies.oauth_flow?.value, '')
})

test('a program gets exactly the documented members', async () => {
  const reply = await jsonSignIn(app, server, 'ada')
  assert.equal(reply.status, 200, reply.text)
  assert.deepEqual(Object.keys(reply.json).toSorted(), [
    'expiresAt',
    'loginType',
    'provider',
    'sessionId',
    'success',
    'user',
  ])
  assert.equal(reply.json.loginType, 'social_auth')
  assert.equal((await app.get('/auth/me', withSession(reply.json.sessionId))).status, 200)
})

test('a visit that begins with json ends with it, and its flow value stands in for the cookie', async () => {
  const start = await app.get('/auth/social/oidc/login?format=json')
  assert.equal(start.status, 200)
  assert.equal(start.json.url, start.json.login_url)
  assert.equal(start.json.expires_in, 600)
  const back = await server.signIn(start.json.url, 'ada')
  const reply = await app.get(`${back.pathname}${back.search}`, { headers: { 'x-oauth-flow': start.json.flow } })
  assert.equal(reply.status, 200, reply.text)
  assert.equal(reply.json.success, true)
})

test('the address of the provider holds a fresh challenge, state and nonce each time', async () => {
  const [one, other] = [await started(app, 'oidc'), await started(app, 'oidc')]
  for (const { url } of [one, other]) {
    assert.equal(url.searchParams.get('code_challenge_method'), 'S256')
    assert.equal(url.searchParams.get('redirect_uri'), 'http://localhost:3000/auth/social/oidc/callback')
    assert.equal(url.searchParams.get('response_type'), 'code')
  }
  for (const name of ['state', 'nonce', 'code_challenge']) {
    const values = [one, other].map(({ url }) => url.searchParams.get(name))
    assert.equal(new Set(values).size, 2, name)
    for (const value of values) assert.match(value ?? '', /^[\w-]{43}$/)
  }
})

test('a callback without its state, or with another one, asks the provider nothing', async () => {
  const visit = await visited(app, server, 'ada')
  const code = new URLSearchParams(visit.callback.split('?')[1]).get('code')
  const other = await started(app, 'oidc')
  const states = ['', `&state=`, `&state=random`, `&state=${other.url.searchParams.get('state')}`]
  for (const state of states) {
    const reply = await app.get(`/auth/social/oidc/callback?code=${code}${state}`, {
      headers: { cookie: visit.cookie },
    })
    assert.deepEqual(toldFrontEnd(reply), { social_login: 'error', error: 'invalid_state', provider: 'oidc' })
  }
  // The rejected callbacks have not exchanged the code, so it still works in its own flow.
  assert.equal(toldFrontEnd(await visitCallback(app, visit)).social_login, 'success')
})

test('a state that began in another browser is refused, and stays for its own', async () => {
  const visit = await visited(app, server, 'ada')
  const foreign = await started(app, 'oidc')
  const without = await app.get(visit.callback)
  assert.equal(toldFrontEnd(without).error, 'invalid_state')
  const elsewhere = await visitCallback(app, { ...visit, cookie: `oauth_flow=${foreign.flow}` })
  assert.equal(toldFrontEnd(elsewhere).error, 'invalid_state')
  assert.equal(toldFrontEnd(await visitCallback(app, visit)).social_login, 'success')
})

test('a state works once', async () => {
  const visit = await visited(app, server, 'ada')
  assert.equal(toldFrontEnd(await visitCallback(app, visit)).social_login, 'success')
  assert.equal(toldFrontEnd(await visitCallback(app, visit)).error, 'invalid_state')
})

test('a visit that began with json is refused in JSON, also when it comes back a second time or too late', async () => {
  const begin = async () => {
    const { json } = await app.get('/auth/social/oidc/login?format=json')
    return visitOf(await server.signIn(json.url, 'ada'), json.flow)
  }
  const refused = async (visit: Visit, headers: Record<string, string> = {}) => {
    const { status, json } = await visitCallback(app, visit, headers)
    assert.deepEqual([status, json.code], [400, 'INVALID_TOKEN'])
  }
  const used = await begin()
  assert.equal((await visitCallback(app, used)).json.success, true)
  await refused(used)
  await refused({ ...(await begin()), cookie: '' })
  const late = await begin()
  app.clock.advance(11 * 60_000)
  await refused(late)
})

test("the operator's own provider is among the offered ones, and not among the six that are always listed", async () => {
  const { json } = await app.get('/auth/social/providers')
  const names = (offers: { provider: string }[]) => offers.map(({ provider }) => provider)
  assert.deepEqual(names(json.providers), ['oidc'])
  assert.deepEqual(names(json.allProviders), ['google', 'github', 'facebook', 'apple', 'discord', 'microsoft'])
})

test('a state has an end', async () => {
  const visit = await visited(app, server, 'ada')
  await app.ctx.db
    .updateTable('social_flows')
    .set({ expires_at: new Date(app.clock.now()) })
    .execute()
  assert.equal(toldFrontEnd(await visitCallback(app, visit)).error, 'invalid_state')
})

test('only a request that accepts HTML is redirected; a script gets the address, and its visit ends on a page', async () => {
  for (const accept of ['text/html,application/xhtml+xml,*/*;q=0.8', '*/*', undefined, 'application/json']) {
    const headers: Record<string, string> = accept === undefined ? {} : { accept }
    const { status, json } = await app.get('/auth/social/oidc/login', { headers })
    assert.equal(status, accept?.startsWith('text/html') ? 302 : 200, String(accept))
    if (status === 200) assert.match(json.url, /^http/)
  }
  const { json } = await app.get('/auth/social/oidc/login', { headers: { accept: '*/*' } })
  const state = new URL(json.url).searchParams.get('state')
  const back = await app.get(`/auth/social/oidc/callback?error=access_denied&state=${state}`, {
    headers: { accept: 'text/html', 'x-oauth-flow': json.flow },
  })
  assert.equal(back.status, 302)
})
