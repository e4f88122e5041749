import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute } from '../../src/lib/time.ts'
import { verify } from '../passwordless/support.ts'
import { handedOver } from '../support/handover.ts'
import { person, registered, type SignedIn, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { emailFactor } from '../support/second-factor.ts'
import { createTestClock, startTestApp, type TestApp } from '../support/test-app.ts'
import { type OidcServer, startOidcServer } from './oidc-server.ts'
import { jsonSignIn, toldFrontEnd, visitCallback, visitOf } from './support.ts'

let server: OidcServer
let app: TestApp
before(async () => {
  server = await startOidcServer()
  app = await startTestApp({ secondFactor: emailFactor, env: server.env, clock: createTestClock() })
})
after(async () => {
  await app?.stop()
  await server?.stop()
})

let count = 0
function known(email = person().email): string {
  const sub = `linker-${++count}`
  server.people.set(sub, { sub, email, email_verified: true })
  return sub
}

/** Begins linking an identity, up to the callback. */
async function linking(somebody: SignedIn, subject: string) {
  const start = await app.post('/auth/social/oidc/link', {}, withSession(somebody.sessionToken))
  assert.equal(start.status, 200, start.text)
  return visitOf(await server.signIn(start.json.url, subject), start.json.flow)
}
const accountsOf = async (sessionToken: string) =>
  (await app.get('/auth/social/accounts', withSession(sessionToken))).json.accounts
const unlink = (sessionToken: string, body?: object) =>
  app.call('DELETE', '/auth/social/accounts/oidc', { ...withSession(sessionToken), ...(body && { body }) })

test('a user adds an identity, whatever its address, and signs in with it from then on', async () => {
  const ada = await registered(app, 'ada')
  const { json: elsewhere } = await app.post('/auth/login', { email: ada.email, password: ada.password })
  const subject = known()
  const reply = await visitCallback(app, await linking(ada, subject))
  assert.deepEqual(toldFrontEnd(reply), { social_login: 'linked', provider: 'oidc' })
  assert.equal(reply.cookies.session_id, undefined)
  const [account, ...others] = await accountsOf(ada.sessionToken)
  assert.deepEqual(others, [])
  assert.deepEqual(Object.keys(account).toSorted(), [
    'email',
    'is_primary',
    'last_used_at',
    'linked_at',
    'name',
    'picture',
    'provider',
    'provider_user_id',
  ])
  assert.deepEqual([account.provider, account.provider_user_id, account.is_primary], ['oidc', subject, true])
  assert.equal((await app.get('/auth/me', withSession(elsewhere.sessionId))).status, 401)
  const exported = await app.get('/auth/user/me/export', withSession(ada.sessionToken))
  assert.deepEqual(exported.json.data.social_accounts, [account])
  await app.mailTo(ada.email, 1)
  assert.equal((await jsonSignIn(app, server, subject)).json.user.id, ada.id)
})

test('an application adds and removes no identity, even just after a proof in its own session', async () => {
  const ada = await registered(app, 'ada')
  await visitCallback(app, await linking(ada, known()))
  const shop = await handedOver(app, ada.sessionToken)
  app.clock.advance(1)
  assert.equal((await app.post('/auth/reauthenticate', { password: ada.password }, withSession(shop))).status, 200)
  const add = (sessionToken: string) => [
    app.post('/auth/social/oidc/link', { current_password: ada.password }, withSession(sessionToken)),
    app.get('/auth/social/oidc/login?link=true&format=json', withSession(sessionToken)),
  ]
  for (const reply of await Promise.all(add(shop))) assert.equal(reply.json.code, 'FORBIDDEN', reply.text)
  assert.equal((await unlink(shop, { current_password: ada.password })).json.code, 'FORBIDDEN')
  assert.equal((await accountsOf(shop)).length, 1)
  for (const reply of await Promise.all(add(ada.sessionToken))) assert.equal(reply.status, 200, reply.text)
  assert.equal((await unlink(ada.sessionToken)).status, 200)
})

test('adding needs a full session that was proven a short while ago, and GET with link=true does, too', async () => {
  const ada = await registered(app, 'ada')
  const get = (sessionToken?: string) =>
    app.get('/auth/social/oidc/login?link=true&format=json', sessionToken ? withSession(sessionToken) : {})
  assert.equal((await get()).json.code, 'INVALID_SESSION')
  assert.equal((await get(ada.sessionToken)).status, 200)
  app.clock.advance(11 * minute)
  assert.equal((await get(ada.sessionToken)).json.code, 'REAUTH_REQUIRED')
  const post = (body: object) => app.post('/auth/social/oidc/link', body, withSession(ada.sessionToken))
  assert.equal((await post({})).json.code, 'REAUTH_REQUIRED')
  assert.equal((await post({ current_password: 'not the password' })).json.code, 'INVALID_CURRENT_PASSWORD')
  assert.equal((await post({ current_password: ada.password })).status, 200)
  app.clock.advance(-11 * minute)
})

test('a page of another site does not begin for its visitors what adds its own identity to their account', async () => {
  const ada = await registered(app, 'ada')
  const follow = (headers: Record<string, string>) =>
    app.get('/auth/social/oidc/login?link=true', {
      headers: { cookie: `session_id=${ada.sessionToken}`, ...headers },
    })
  for (const site of ['cross-site', 'same-site']) {
    const foreign = await follow({ 'sec-fetch-site': site, referer: 'https://evil.example/localhost:3000' })
    assert.deepEqual([foreign.status, foreign.json.code], [403, 'CSRF_REJECTED'])
  }
  // An older browser, which does not send Sec-Fetch-Site.
  assert.equal((await follow({ referer: 'https://evil.example/' })).status, 403)
  assert.equal((await follow({ accept: 'text/html', referer: 'http://localhost:3000/me' })).status, 302)
  assert.equal((await follow({ accept: 'text/html' })).status, 302)
  for (const headers of [
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'cross-site', referer: 'http://localhost:3000/me' },
  ])
    assert.equal((await follow({ accept: 'text/html', ...headers } as Record<string, string>)).status, 302)
})

test('what one session has begun another one does not finish, nor does it go on without its own', async () => {
  const [ada, mallory] = [await registered(app, 'ada'), await registered(app, 'grace')]
  const visit = await linking(ada, known())
  const foreign = await visitCallback(app, { ...visit, cookie: `${visit.cookie}; session_id=${mallory.sessionToken}` })
  assert.equal(toldFrontEnd(foreign).error, 'invalid_state')
  assert.deepEqual([await accountsOf(ada.sessionToken), await accountsOf(mallory.sessionToken)], [[], []])
  const other = await linking(ada, known())
  await app.post('/auth/logout', {}, withSession(ada.sessionToken))
  assert.equal(toldFrontEnd(await visitCallback(app, other)).error, 'invalid_state')
  const rows = await app.ctx.db.selectFrom('social_accounts').select('id').where('user_id', '=', ada.id).execute()
  assert.deepEqual(rows, [])
})

test('a visit that began as a sign-in adds nothing to the session that is there', async () => {
  const ada = await registered(app, 'ada')
  const start = await app.get('/auth/social/oidc/login?format=json', withSession(ada.sessionToken))
  const back = await server.signIn(start.json.url, known())
  const headers = { 'x-oauth-flow': start.json.flow, 'x-session-id': ada.sessionToken }
  const reply = await app.get(`${back.pathname}${back.search}&link=true`, { headers })
  assert.notEqual(reply.json.user.id, ada.id)
  assert.deepEqual(await accountsOf(ada.sessionToken), [])
})

test('an identity belongs to one user, and a user has one of each provider', async () => {
  const [ada, grace] = [await registered(app, 'ada'), await registered(app, 'grace')]
  const subject = known()
  await visitCallback(app, await linking(ada, subject))
  assert.equal(toldFrontEnd(await visitCallback(app, await linking(grace, subject))).error, 'account_exists')
  assert.equal(toldFrontEnd(await visitCallback(app, await linking(ada, known()))).error, 'account_exists')
  assert.equal(toldFrontEnd(await visitCallback(app, await linking(ada, subject))).social_login, 'linked')
  assert.equal((await accountsOf(ada.sessionToken)).length, 1)
})

test('an identity that was removed lets nobody in, and nobody removes that of another', async () => {
  const [ada, grace] = [await registered(app, 'ada'), await registered(app, 'grace')]
  const subject = known()
  await visitCallback(app, await linking(ada, subject))
  assert.equal((await unlink(grace.sessionToken)).json.code, 'NOT_FOUND')
  assert.equal((await accountsOf(ada.sessionToken)).length, 1)
  const { json: other } = await jsonSignIn(app, server, subject)
  assert.equal((await unlink(ada.sessionToken)).status, 200)
  assert.equal((await app.get('/auth/me', withSession(other.sessionId))).status, 401)
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 200)
  assert.notEqual((await jsonSignIn(app, server, subject)).json.user.id, ada.id)
  assert.equal((await unlink(ada.sessionToken)).json.code, 'NOT_FOUND')
  assert.equal((await auditOf(app, 'social_unlinked')).at(-1)?.target_id, ada.id)
  await app.mailTo(ada.email, 2)
})

test('removing requires recent authentication', async () => {
  const ada = await registered(app, 'ada')
  await visitCallback(app, await linking(ada, known()))
  app.clock.advance(11 * minute)
  assert.equal((await unlink(ada.sessionToken)).json.code, 'REAUTH_REQUIRED')
  assert.equal((await unlink(ada.sessionToken, { current_password: ada.password })).status, 200)
  app.clock.advance(-11 * minute)
})

test('the last way in stays: no password, no proven address for links, no other identity', async () => {
  const email = person().email
  const subject = known(email)
  server.people.get(subject)!.email_verified = false
  const { json } = await jsonSignIn(app, server, subject)
  assert.deepEqual((await unlink(json.sessionId)).json.code, 'LAST_SIGN_IN_METHOD')
  const rejected = (await auditOf(app, 'authz_denied')).filter(({ target_id }) => target_id === json.user.id)
  assert.deepEqual(
    rejected.map(({ outcome, details }) => [outcome, details]),
    [['failure', { deed: 'unlink', code: 'LAST_SIGN_IN_METHOD', provider: 'oidc' }]],
  )
  assert.equal((await accountsOf(json.sessionId)).length, 1)
  const beside = {
    provider: 'github',
    issuer: 'https://github.com',
    subject: '1',
    linked_at: new Date(),
    last_used_at: new Date(),
  }
  const insert = app.ctx.db.insertInto('social_accounts').values({ id: json.user.id, user_id: json.user.id, ...beside })
  await insert.execute()
  assert.equal((await unlink(json.sessionId)).json.code, 'LAST_SIGN_IN_METHOD', 'a provider that is off lets nobody in')
  await verify(app, json.user.id)
  assert.equal((await unlink(json.sessionId)).status, 200)
})
