import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { newId } from '../../../src/lib/ids.ts'
import { grant, settle } from '../../roles/support.ts'
import { bridgeSecret, type Reply, startTestApp, type TestApp } from '../../support/test-app.ts'
import {
  authorizeAddress,
  follow,
  redirectUri,
  refreshWith,
  signedInVisitor,
  tokensOf,
  userInfo,
} from './sign-in-support.ts'
import { basic, type MadeClient, type OAuthAdmin, oauthAdmin, oauthEnv, oauthModules, postForm } from './support.ts'

let app: TestApp
let admin: OAuthAdmin
let api: { id: string; identifier: string }
let permission: string
let accountant: string
let client: MadeClient
let server: MadeClient
before(async () => {
  app = await startTestApp({ modules: oauthModules, env: oauthEnv })
  admin = await oauthAdmin(app)
  const application = await admin.application('ledger')
  permission = application.read
  accountant = newId()
  await sql`INSERT INTO roles (id, created_at, updated_at, kind, application_id, key, name, permissions, is_default)
    VALUES (${accountant}, now(), now(), 'application', ${application.id}, 'accountant', 'Accountant',
      ${[permission]}::text[], false)`.execute(app.ctx.db)
  await settle(app)
  api = await admin.resource(application.id)
  const terms = { application_id: application.id, resources: [api.id] }
  const scopes = ['openid', 'roles', 'offline_access', permission]
  client = await admin.client({
    ...terms,
    type: 'web',
    name: 'Ledger',
    redirect_uris: [redirectUri],
    scopes,
    groups_claim: true,
  })
  server = await admin.client({ ...terms, type: 'resource_server', name: 'API' })
})
after(() => app.stop())

const introspect = async (by: MadeClient, token: string): Promise<Reply['json']> =>
  (await postForm(app, '/oauth/introspect', { token }, basic(by))).json

const validate = (token: string, more: object = {}) =>
  app.post(
    '/auth/bridge/validate',
    { credential: token, resource: api.identifier, ...more },
    { headers: { 'x-bridge-secret': bridgeSecret } },
  )

test('the scope of an API is given only to users who have the permission', async () => {
  const { browser, user } = await signedInVisitor(app)
  const without = await tokensOf(app, browser, client, { scope: `openid ${permission}`, resource: api.identifier })
  assert.equal(without.scope, 'openid')
  await grant(app, user.id, accountant)
  const tokens = await tokensOf(app, browser, client, { scope: `openid roles ${permission}` })
  assert.equal(tokens.scope, `${permission} openid roles`)
  const claims = decodeJwt(tokens.access_token)
  assert.equal(claims.sub, user.id)
  assert.equal(claims.aud, api.identifier)
  assert.equal(claims.client_id, client.clientId)
  const seen = await validate(tokens.access_token, { scopes: [permission] })
  assert.equal(seen.status, 200, seen.text)
  assert.equal(seen.json.kind, 'token')
  assert.equal(seen.json.user.id, user.id)
  assert.deepEqual(seen.json.scopes, [permission])
  const shown = await introspect(server, tokens.access_token)
  assert.deepEqual([shown.active, shown.sub, shown.scope, shown.username], [true, user.id, permission, user.user_name])
  const own = await introspect(client, tokens.access_token)
  assert.equal(own.scope, `${permission} openid roles`)
  const info = await userInfo(app, tokens.access_token)
  assert.deepEqual(info.json.roles, ['accountant'])
  assert.deepEqual(info.json.groups, ['accountant'])
  assert.deepEqual(info.json.permissions, [permission])
})

test('the page that asks for consent leads to the sign-in of another account', async () => {
  const { browser } = await signedInVisitor(app)
  const { page } = await follow(
    browser,
    await browser.open(authorizeAddress(client, { scope: 'openid', prompt: 'consent' })),
  )
  const reply = await browser.open(`${page.replace('/oauth/consent', '/oauth/continue')}&another=true`)
  assert.match(String(reply.headers.location), /^\/login\?another=true/)
})

test('whatever ends the right of the user, the access or the client ends a JWT', async () => {
  const { browser, user } = await signedInVisitor(app)
  await grant(app, user.id, accountant)
  const issue = () => tokensOf(app, browser, client, { scope: `openid ${permission}` })
  const { access_token, refresh_token } = await issue()
  assert.equal((await validate(access_token, { scopes: [permission] })).status, 200)
  await sql`DELETE FROM user_roles WHERE user_id = ${user.id}`.execute(app.ctx.db)
  await sql`UPDATE users SET session_epoch = session_epoch + 1 WHERE id = ${user.id}`.execute(app.ctx.db)
  await settle(app, user.id)
  assert.equal((await validate(access_token, { scopes: [permission] })).json.code, 'INSUFFICIENT_SCOPE')
  assert.equal((await refreshWith(app, client, refresh_token)).json.scope, 'openid')
  await grant(app, user.id, accountant)
  const next = await issue()
  assert.equal((await postForm(app, '/oauth/revoke', { token: next.access_token }, basic(client))).status, 200)
  assert.equal((await validate(next.access_token)).json.code, 'INVALID_CREDENTIAL')
  assert.equal((await refreshWith(app, client, next.refresh_token)).status, 200)
})

test('a refresh token can be introspected by its client, and revoking it ends the access', async () => {
  const { browser, user } = await signedInVisitor(app)
  await grant(app, user.id, accountant)
  const tokens = await tokensOf(app, browser, client, { scope: `openid offline_access ${permission}` })
  assert.equal((await validate(tokens.access_token)).status, 200)
  const shown = await introspect(client, tokens.refresh_token)
  assert.deepEqual([shown.active, shown.sub, shown.token_type], [true, user.id, 'refresh_token'])
  assert.deepEqual(await introspect(server, tokens.refresh_token), { active: false })
  assert.equal((await postForm(app, '/oauth/revoke', { token: tokens.refresh_token }, basic(server))).status, 200)
  assert.equal((await introspect(client, tokens.refresh_token)).active, true)
  assert.equal((await postForm(app, '/oauth/revoke', { token: tokens.refresh_token }, basic(client))).status, 200)
  assert.deepEqual(await introspect(client, tokens.refresh_token), { active: false })
  assert.equal((await userInfo(app, tokens.access_token)).status, 401)
  assert.equal((await validate(tokens.access_token)).json.code, 'INVALID_CREDENTIAL')
})

test('only the types of users that are allowed, and those with the required permission, sign in', async () => {
  const { browser, user } = await signedInVisitor(app)
  const tokens = await tokensOf(app, browser, client, { scope: 'openid' })
  await admin.update(client.clientId, { required_permission: permission })
  assert.equal((await userInfo(app, tokens.access_token)).status, 401)
  assert.equal((await refreshWith(app, client, tokens.refresh_token)).json.error, 'invalid_grant')
  const silent = await tokensOf(app, browser, client, { prompt: 'none' }).catch((error) => error)
  assert.ok(silent instanceof Error)
  await grant(app, user.id, accountant)
  assert.equal((await refreshWith(app, client, tokens.refresh_token)).status, 200)
  await admin.update(client.clientId, { required_permission: null, allowed_types: ['writer'] })
  const page = await browser.open(`/oauth/authorize?${new URLSearchParams({ client_id: client.clientId })}`)
  assert.equal(page.status, 400)
  const rejected = await tokensOf(app, browser, client, { scope: 'openid' }).catch((error) => error)
  assert.ok(rejected instanceof Error)
  const { reply } = await follow(browser, await browser.open(authorizeAddress(client, { scope: 'openid' })))
  assert.equal(reply.status, 403)
  assert.match(reply.text, /allowed to sign in to Ledger/)
  await admin.update(client.clientId, { allowed_types: [] })
})
