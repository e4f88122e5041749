import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { sql } from 'kysely'
import { cleanUp } from '../../../src/jobs/clean-up.ts'
import { day, hour, minute } from '../../../src/lib/time.ts'
import { endExpiredGrants } from '../../../src/modules/oauth/grants/end-expired.ts'
import { logoutDispatcherOf } from '../../../src/modules/oauth/logout/dispatcher.ts'
import { logoutJobs } from '../../../src/modules/oauth/logout/jobs.ts'
import { eventually } from '../../support/eventually.ts'
import { withSession } from '../../support/people.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { signedInVisitor, tokensOf, userInfo, webClient } from './sign-in-support.ts'
import { type MadeClient, type OAuthAdmin, oauthAdmin, oauthEnv, oauthModules } from './support.ts'

interface Call {
  path: string
  type: string | undefined
  token: string
}

let app: TestApp
let admin: OAuthAdmin
let server: Server
let address: string
let client: MadeClient
let calls: Call[] = []
/** What the receiver answers at a path. Undefined: nothing. */
const answers = new Map<string, number | undefined>()

before(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const path = request.url ?? ''
    calls.push({
      path,
      type: request.headers['content-type'],
      token: new URLSearchParams(body).get('logout_token') ?? '',
    })
    const status = answers.has(path) ? answers.get(path) : 200
    if (status !== undefined) response.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const env = {
    ...oauthEnv,
    OAUTH_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
    SESSION_IDLE_TTL: '2d',
    SESSION_ABSOLUTE_TTL: '30d',
  }
  app = await startTestApp({ modules: oauthModules, env })
  admin = await oauthAdmin(app)
  client = await clientAt('/logout')
})
after(async () => {
  await app.stop()
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  calls = []
})

const clientAt = (path: string, more: object = {}) =>
  webClient(admin, { backchannel_uri: `${address}${path}`, trusted: true, ...more })

/** Without waiting for the job that runs each second. */
function soon(isTrue: () => boolean | Promise<boolean>): Promise<number> {
  logoutDispatcherOf(app.ctx).wake()
  return eventually(isTrue)
}

const tokens = (path = '/logout') => calls.filter((call) => call.path === path).map(({ token }) => token)
const toldOf = (sid: unknown, path = '/logout') => tokens(path).filter((token) => decodeJwt(token).sid === sid)
const told = (sid: unknown, path = '/logout') => soon(() => toldOf(sid, path).length > 0)

async function signedIn(which = client, more: Record<string, string> = {}) {
  const { browser, user } = await signedInVisitor(app)
  const { id_token, access_token } = await tokensOf(app, browser, which, more)
  const { sid } = decodeJwt(id_token)
  const signOut = async () => {
    await browser.open('/logout')
    await browser.send('/logout')
  }
  return { browser, user, sid, id_token, access_token, signOut }
}

const rowsOf = async (sid: unknown) => {
  const { rows } = await sql<{ attempts: number; done: boolean }>`SELECT attempts, done_at IS NOT NULL AS done
    FROM oauth_logouts WHERE sid = ${sid}`.execute(app.ctx.db)
  return rows
}
const isDone = (sid: unknown) => soon(async () => (await rowsOf(sid)).every(({ done }) => done))
const attempted = (sid: unknown, count: number) =>
  soon(async () => {
    const { rows } = await sql`SELECT FROM oauth_logouts
      WHERE sid = ${sid} AND attempts = ${count} AND claimed_until IS NULL`.execute(app.ctx.db)
    return rows.length > 0
  })
const auditOf = async (userId: string) => {
  const { rows } = await sql<{ event: string; details: Record<string, unknown> }>`SELECT event, details
    FROM audit_events WHERE target_id = ${userId} AND event LIKE 'oauth_logout%' ORDER BY time`.execute(app.ctx.db)
  return rows
}

test('oidcc-backchannel-logout-discovery-endpoint-verification', async () => {
  const { json } = await app.get('/.well-known/openid-configuration')
  assert.equal(json.backchannel_logout_supported, true)
  assert.equal(json.backchannel_logout_session_supported, true)
})

test('oidcc-backchannel-rp-initiated-logout: the client gets a signed logout token', async () => {
  const { browser, user, sid, id_token } = await signedIn()
  await browser.open(`/oauth/logout?${new URLSearchParams({ id_token_hint: id_token })}`)
  await eventually(() => toldOf(sid).length > 0, 2_000)
  assert.equal(calls[0]?.type, 'application/x-www-form-urlencoded')
  const [token = ''] = toldOf(sid)
  const keys = createLocalJWKSet((await app.get('/oauth/jwks')).json)
  const options = {
    issuer: app.ctx.config.PUBLIC_URL,
    audience: client.clientId,
    typ: 'logout+jwt',
    currentDate: app.ctx.clock.date(),
  }
  const { payload, protectedHeader } = await jwtVerify(token, keys, { ...options, requiredClaims: ['jti', 'iat'] })
  assert.equal(protectedHeader.alg, 'RS256')
  const { iat = 0, exp = 0, jti: _, iss: __, aud: ___, ...rest } = payload
  assert.equal(exp - iat, 120)
  assert.deepEqual(rest, {
    ...{ sub: user.id, sid },
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  })
  await isDone(sid)
  const { text } = await app.get('/metrics', { from: '127.0.0.1' })
  assert.match(text, /wardenry_oauth_logout_deliveries_total\{outcome="delivered"\} [1-9]/)
  const [event] = await auditOf(user.id)
  assert.equal(event?.event, 'oauth_logout_delivered')
  assert.deepEqual(event?.details, { client: client.clientId, name: 'Notes', attempts: 1 })
  // A35
  assert.equal((await userInfo(app, token)).status, 401)
  assert.equal((await browser.open(`/oauth/logout?${new URLSearchParams({ id_token_hint: token })}`)).status, 400)
})

test('the token is signed with the algorithm of the ID tokens of the client', async () => {
  answers.set('/es256', 204)
  const own = await clientAt('/es256', { id_token_alg: 'ES256' })
  const { sid, signOut } = await signedIn(own)
  await signOut()
  await told(sid, '/es256')
  const header = JSON.parse(Buffer.from(tokens('/es256')[0]?.split('.')[0] ?? '', 'base64url').toString())
  assert.equal(header.alg, 'ES256')
  await isDone(sid)
})

test('each client of the session is called once, whatever ended the session and its access', async () => {
  const second = await clientAt('/second')
  const silent = await webClient(admin, { trusted: true })
  const all = await signedIn()
  await tokensOf(app, all.browser, client)
  const offline = decodeJwt((await tokensOf(app, all.browser, second, { scope: 'openid offline_access' })).id_token)
  assert.notEqual(offline.sid, all.sid)
  await tokensOf(app, all.browser, silent)
  await sql`UPDATE oauth_grants SET ended_at = now() WHERE sid = ${all.sid}`.execute(app.ctx.db)
  await sql`UPDATE sessions SET status = 'revoked', ended_at = ${app.ctx.clock.date()}
    WHERE user_id = ${all.user.id}`.execute(app.ctx.db)
  await told(all.sid)
  await told(offline.sid, '/second')
  await isDone(all.sid)
  assert.equal(toldOf(all.sid).length, 1)
  const { rows } = await sql`SELECT FROM oauth_logouts WHERE user_id = ${all.user.id}`.execute(app.ctx.db)
  assert.equal(rows.length, 2)
})

for (const [name, end] of [
  [
    'by staff',
    (id: string) => app.call('DELETE', `/auth/admin/users/${id}/sessions`, withSession(admin.root.sessionToken)),
  ],
  ['with the row', (id: string) => sql`DELETE FROM sessions WHERE user_id = ${id}`.execute(app.ctx.db)],
] as const)
  test(`clients are told of a session that was ended ${name}`, async () => {
    const { user, sid } = await signedIn()
    await end(user.id)
    app.clock.advance(minute)
    await told(sid)
  })

test('a code that nobody redeemed leads to no call', async () => {
  const { user } = await signedIn()
  await sql`UPDATE oauth_grants SET last_used_at = NULL WHERE user_id = ${user.id}`.execute(app.ctx.db)
  await sql`UPDATE sessions SET status = 'revoked' WHERE user_id = ${user.id}`.execute(app.ctx.db)
  const { rows } = await sql`SELECT FROM oauth_logouts WHERE user_id = ${user.id}`.execute(app.ctx.db)
  assert.deepEqual(rows, [])
})

test('a call that fails is repeated after 1, 5 and 15 minutes, then given up', async () => {
  answers.set('/broken', 500)
  const broken = await clientAt('/broken')
  const { user, sid, signOut } = await signedIn(broken)
  await signOut()
  await attempted(sid, 1)
  for (const [pause, count] of [
    [minute, 2],
    [5 * minute, 3],
  ] as const) {
    app.clock.advance(pause)
    await attempted(sid, count)
  }
  app.clock.advance(15 * minute)
  await isDone(sid)
  const all = tokens('/broken').map((token) => decodeJwt(token).jti)
  assert.equal(new Set(all).size, 4)
  const [event, ...more] = await auditOf(user.id)
  assert.equal(event?.event, 'oauth_logout_failed')
  assert.match(String(event?.details.reason), /^127\.0\.0\.1:\d+ responded with status 500$/)
  assert.deepEqual(more, [])
})

test('a receiver that does not answer gets four calls at once and delays nobody', async () => {
  answers.set('/dead', undefined)
  const dead = await clientAt('/dead')
  const people = []
  for (let count = 0; count < 6; count++) people.push(await signedIn(dead))
  const living = await signedIn()
  for (const { signOut } of people) await signOut()
  await soon(() => tokens('/dead').length === 4)
  await living.signOut()
  await told(living.sid)
  assert.equal(tokens('/dead').length, 4)
})

test('a receiver at a private address must be listed in the settings', async () => {
  const hidden = await clientAt('/hidden', { backchannel_uri: address.replace('127.0.0.1', 'localhost') })
  const { sid, signOut } = await signedIn(hidden)
  await signOut()
  await attempted(sid, 1)
  assert.deepEqual(calls, [])
})

test('calls wait for at most an hour, and are removed after seven days', async () => {
  const { user, sid, signOut } = await signedIn()
  await admin.update(client.clientId, { enabled: false })
  await signOut()
  app.clock.advance(hour + minute)
  await isDone(sid)
  assert.deepEqual(toldOf(sid), [])
  assert.equal((await auditOf(user.id))[0]?.details.reason, 'expired')
  app.clock.advance(7 * day)
  await cleanUp(app.ctx, logoutJobs)
  assert.deepEqual(await rowsOf(sid), [])
  await sql`UPDATE oauth_clients SET is_enabled = true`.execute(app.ctx.db)
})

test('clients are told of a session that expired, also if the access lasts or ended before', async () => {
  const bound = await signedIn()
  const offline = await signedIn(client, { scope: 'openid offline_access' })
  const ended = await signedIn()
  await sql`UPDATE oauth_grants SET ended_at = now() WHERE sid = ${ended.sid}`.execute(app.ctx.db)
  app.clock.advance(hour)
  await endExpiredGrants(app.ctx)
  assert.deepEqual(await rowsOf(bound.sid), [])
  app.clock.advance(2 * day)
  await endExpiredGrants(app.ctx)
  for (const { sid } of [bound, offline, ended]) await told(sid)
  await isDone(ended.sid)
  await sql`DELETE FROM sessions WHERE user_id = ${bound.user.id}`.execute(app.ctx.db)
  await endExpiredGrants(app.ctx)
  assert.equal((await rowsOf(bound.sid)).length, 1)
  assert.equal((await userInfo(app, bound.access_token)).status, 401)
})
