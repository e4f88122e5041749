import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { signedInBrowser } from '../../screens/account/support.ts'
import { textOf } from '../../screens/all-pages.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../../support/people.ts'
import { auditOf } from '../../support/rows.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { limitedAdmin } from '../api-keys/support.ts'
import { refreshWith, signedInVisitor, tokensOf, userInfo, webClient } from './sign-in-support.ts'
import { type OAuthAdmin, oauthAdmin, oauthEnv, oauthModules } from './support.ts'

let app: TestApp
let admin: OAuthAdmin
before(async () => {
  app = await startTestApp({ modules: oauthModules, env: { ...oauthEnv, RATE_LIMIT_LOGIN: '100/15m' } })
  admin = await oauthAdmin(app)
})
after(() => app.stop())

const ofUser = ({ id }: { id: string }) => `/auth/admin/users/${id}/grants`
const ofClient = ({ clientId }: { clientId: string }) => `/auth/admin/oauth/clients/${clientId}/grants`
const by = (who: SignedIn, method: string, url: string) => app.call(method, url, withSession(who.sessionToken))

/** Copies of the grant, as if the user had signed in as often. */
const repeat = (grantId: string, count: number) =>
  sql`INSERT INTO oauth_grants (id, created_at, user_id, client_id, client_epoch, session_id, is_offline, sid, scopes,
      claims, amr, auth_time, last_used_at, ip_address, user_agent, check_at, expires_at)
    SELECT gen_random_uuid(), created_at, user_id, client_id, client_epoch, session_id, is_offline, gen_random_uuid(),
      scopes, claims, amr, auth_time, last_used_at, ip_address, user_agent, check_at, expires_at
    FROM oauth_grants, generate_series(1, ${count}::int) WHERE id = ${grantId}`.execute(app.ctx.db)

test('administrators see the applications of a user, and end the access of one or all', async () => {
  const [notes, mail] = [await webClient(admin), await webClient(admin, { name: 'Mail' })]
  const { browser, user } = await signedInVisitor(app)
  const [first, other] = [await tokensOf(app, browser, notes), await tokensOf(app, browser, mail)]
  const boss = await signedInAs(app, 'admin')
  const listed = (await by(boss, 'GET', ofUser(user))).json.data.applications
  assert.deepEqual(
    listed.map(({ name, grants }: { name: string; grants: unknown[] }) => [name, grants.length]),
    [
      ['Mail', 1],
      ['Notes', 1],
    ],
  )
  assert.deepEqual(listed, (await by(user, 'GET', '/auth/grants')).json.data.applications)
  const misspelt = await by(boss, 'DELETE', `${ofUser(user)}?clientid=${notes.clientId}`)
  assert.equal(misspelt.json.code, 'VALIDATION_ERROR')
  const unknown = await by(boss, 'DELETE', `${ofUser(user)}?client_id=nothing`)
  assert.equal(unknown.json.code, 'OAUTH_CLIENT_NOT_FOUND')
  assert.equal((await by(boss, 'DELETE', `${ofUser(user)}?client_id=`)).json.code, 'VALIDATION_ERROR')
  assert.equal((await userInfo(app, first.access_token)).status, 200)
  assert.equal((await by(boss, 'DELETE', `${ofUser(user)}?client_id=${notes.clientId}`)).json.ended, 1)
  assert.equal((await userInfo(app, first.access_token)).status, 401)
  assert.equal((await refreshWith(app, notes, first.refresh_token)).json.error, 'invalid_grant')
  assert.equal((await userInfo(app, other.access_token)).status, 200, 'that of another client')
  assert.equal((await by(boss, 'DELETE', ofUser(user))).json.ended, 1)
  assert.equal((await userInfo(app, other.access_token)).status, 401)
  const [one, two] = (await auditOf(app, 'oauth_grant_ended')).filter(({ target_id }) => target_id === user.id)
  assert.deepEqual(
    [one?.actor_id, one?.details.client, one?.details.reason],
    [boss.id, notes.clientId, 'ended_by_admin'],
  )
  assert.equal(two?.details.client, mail.clientId)
  const missing = '/auth/admin/users/00000000-0000-7000-8000-000000000000/grants'
  for (const method of ['GET', 'DELETE']) assert.equal((await by(boss, method, missing)).json.code, 'NOT_FOUND')
})

test('nobody ends the access of staff with more permissions, or sees their devices', async () => {
  const client = await webClient(admin)
  const { browser } = await signedInVisitor(app, admin.root)
  const { access_token } = await tokensOf(app, browser, client)
  const { browser: another, user } = await signedInVisitor(app)
  const tokens = await tokensOf(app, another, client)
  const boss = await signedInAs(app, 'admin')
  const devices = (reply: { json: { data: { applications: { grants: { device: string }[] }[] } } }) =>
    reply.json.data.applications.flatMap(({ grants }) => grants.map(({ device }) => device))
  await sql`UPDATE oauth_grants SET user_agent = 'curl/8.5'`.execute(app.ctx.db)
  assert.deepEqual(devices(await by(boss, 'GET', ofUser(admin.root))), [''])
  assert.notDeepEqual(devices(await by(boss, 'GET', ofUser(user))), [''])
  const denied = await by(boss, 'DELETE', ofUser(admin.root))
  assert.deepEqual([denied.status, denied.json.code], [403, 'FORBIDDEN'])
  const last = (await auditOf(app, 'authz_denied')).at(-1)
  assert.deepEqual([last?.actor_id, last?.target_id, last?.details.deed], [boss.id, admin.root.id, 'end_sessions'])
  const { grants } = (await by(boss, 'GET', ofClient(client))).json.data
  const shown = grants.map((one: { user: { email: string }; device: string }) => [one.user.email, one.device !== ''])
  assert.deepEqual(Object.fromEntries(shown), { [user.email]: true, [admin.root.email]: false })
  const ended = await by(boss, 'DELETE', ofClient(client))
  assert.deepEqual([ended.json.ended, ended.json.kept], [1, 1])
  assert.equal((await userInfo(app, tokens.access_token)).status, 401)
  assert.equal((await userInfo(app, access_token)).status, 200)
  assert.deepEqual((await by(admin.root, 'DELETE', ofClient(client))).json.ended, 1)
  assert.equal((await userInfo(app, access_token)).status, 401)
})

test('the permissions are needed, and both for the access of a user', async () => {
  const client = await webClient(admin)
  const { user } = await signedInVisitor(app)
  const reader = await limitedAdmin(app, 'users:read', 'grants:read')
  assert.equal((await by(reader, 'GET', ofUser(user))).status, 200)
  assert.equal((await by(reader, 'GET', ofClient(client))).status, 200)
  const ender = await limitedAdmin(app, 'users:read', 'grants:end')
  assert.equal((await by(ender, 'GET', ofUser(user))).status, 403)
  assert.equal((await by(ender, 'GET', ofClient(client))).status, 403)
  assert.equal((await by(ender, 'DELETE', ofUser(user))).status, 403, 'lacks users:end_sessions')
  assert.equal((await by(ender, 'DELETE', ofClient(client))).status, 200)
  const support = await limitedAdmin(app, 'users:read', 'users:end_sessions', 'grants:read')
  for (const url of [ofUser(user), ofClient(client)]) assert.equal((await by(support, 'DELETE', url)).status, 403)
})

test('all access of a client ends in batches, each with an event, and needs a recent authentication', async () => {
  const [client, other] = [await webClient(admin), await webClient(admin, { name: 'Other' })]
  const { browser, user } = await signedInVisitor(app)
  const tokens = await tokensOf(app, browser, client)
  const kept = await tokensOf(app, browser, other)
  const [{ id }] = (await by(admin.root, 'GET', ofClient(client))).json.data.grants
  await repeat(id, 1_004)
  const { grants, pagination } = (await by(admin.root, 'GET', `${ofClient(client)}?limit=2&page=2`)).json.data
  assert.deepEqual([grants.length, pagination.total, grants[0].user], [2, 1_005, { id: user.id, email: user.email }])
  const before = (await auditOf(app, 'oauth_grant_ended')).length
  assert.deepEqual((await by(admin.root, 'DELETE', ofClient(client))).json, { success: true, ended: 1_005, kept: 0 })
  const events = (await auditOf(app, 'oauth_grant_ended')).slice(before)
  assert.deepEqual(
    events.map(({ details }) => [details.client, (details.grants as string[]).length]),
    [
      [client.clientId, 1_000],
      [client.clientId, 5],
    ],
  )
  assert.equal((await userInfo(app, tokens.access_token)).status, 401)
  assert.equal((await userInfo(app, kept.access_token)).status, 200)
  assert.equal((await by(admin.root, 'DELETE', ofClient({ clientId: 'nothing' }))).json.code, 'OAUTH_CLIENT_NOT_FOUND')
  const boss = await signedInAs(app, 'admin')
  app.clock.advance(app.ctx.config.REAUTH_WINDOW + 1)
  const late = await by(boss, 'DELETE', ofClient(other))
  assert.equal(late.json.code, 'REAUTH_REQUIRED')
})

test('the console shows the access on the pages of the user and of the client, and ends it', async () => {
  const root = await signedInAs(app, 'superadmin')
  const console = await signedInBrowser(app, root)
  const client = await webClient(await oauthAdmin(app, root))
  const { browser, user } = await signedInVisitor(app, await registered(app))
  const tokens = await tokensOf(app, browser, client)
  const words = (html: string) => textOf(html).replaceAll(/\s+/g, ' ')
  const page = `/admin/people/${user.id}`
  assert.match(words((await console.open(page)).text), /Applications with access Notes email openid profile/)
  assert.match((await console.open(`${page}/end-access`)).text, new RegExp(`<option value="${client.clientId}"`))
  await console.send(`${page}/end-access`, { client_id: client.clientId })
  assert.equal((await userInfo(app, tokens.access_token)).status, 401)
  const again = await tokensOf(app, browser, client)
  const ofPage = `/admin/oauth/clients/${client.clientId}`
  assert.ok((await console.open(ofPage)).text.includes(`href="${ofPage}/grants"`))
  assert.ok(words((await console.open(`${ofPage}/grants`)).text).includes(user.email))
  const ended = await console.send(`${ofPage}/grants`, {})
  assert.equal(ended.headers.location, `${ofPage}/grants?done=ended`)
  assert.equal((await userInfo(app, again.access_token)).status, 401)
  assert.match(words((await console.open(`${ofPage}/grants?done=ended`)).text), /The access has ended.*no account/)
})
