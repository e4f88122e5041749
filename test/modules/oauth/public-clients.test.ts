import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { sha256Bytes } from '../../../src/lib/hash.ts'
import { newId } from '../../../src/lib/ids.ts'
import { clientsOf } from '../../../src/modules/oauth/clients/client.ts'
import { secretUsesOf } from '../../../src/modules/oauth/clients/use-writer.ts'
import { findDirectoryVersion } from '../../../src/modules/oauth/directory-queries.ts'
import { eventually } from '../../support/eventually.ts'
import { auditOf } from '../../support/rows.ts'
import { type Reply, startTestApp, type TestApp } from '../../support/test-app.ts'
import {
  authorizeAddress,
  authorized,
  codeIn,
  redeemCode,
  redirectUri,
  signedInVisitor,
  verifier,
} from './sign-in-support.ts'
import {
  basic,
  clientsPath,
  type MachineSetup,
  machineSetup,
  type OAuthAdmin,
  oauthAdmin,
  oauthEnv,
  oauthModules,
  postForm,
  tokenOf,
} from './support.ts'

const [origin, foreign] = ['https://shop.example.com', 'https://other.example.com']

let app: TestApp
let admin: OAuthAdmin
let setup: MachineSetup
let spa: string
let web: { clientId: string; secret: string }
before(async () => {
  const env = { ...oauthEnv, RATE_LIMIT_OAUTH_TOKEN: '6/1h', CORS_ORIGINS: 'https://front.example.com' }
  app = await startTestApp({ modules: oauthModules, env })
  admin = await oauthAdmin(app)
  setup = await machineSetup(admin)
  spa = (await make('spa', { allowed_origins: [origin] })).clientId
  web = await make('web')
})
after(() => app.stop())

const make = (type: string, more: object = {}) =>
  admin.client({
    ...{ application_id: setup.application.id, type, name: type, scopes: ['openid'] },
    ...{ redirect_uris: [`${origin}/callback`], ...more },
  })

const form = { grant_type: 'client_credentials' }
const asked = (path: string, client_id: string, more: Record<string, string> = {}, headers = {}) =>
  postForm(app, path, { ...form, token: 'x', client_id, ...more }, headers)
const shownOf = ({ status, json }: Reply) => [status, json.error]
/** The client was identified, and has no right to this grant. */
const identified = [400, 'unauthorized_client']
const rejected = [401, 'invalid_client']

test('a public client names itself at the token and revocation endpoints', async () => {
  assert.deepEqual(shownOf(await asked('/oauth/token', spa)), identified)
  assert.deepEqual(shownOf(await asked('/oauth/token', spa, { client_secret: '' })), identified, 'without a value')
  assert.equal((await asked('/oauth/revoke', spa)).status, 200)
  const native = await make('native', { redirect_uris: ['com.example.shop:/callback'] })
  assert.deepEqual(shownOf(await asked('/oauth/token', native.clientId)), identified)
})

test('A25: a public client cannot introspect tokens', async () => {
  const token = await tokenOf(app, setup.machine)
  for (const headers of [{}, basic({ clientId: spa, secret: '' }), basic({ clientId: spa, secret: 'x' })])
    assert.deepEqual(
      shownOf(
        await postForm(
          app,
          '/oauth/introspect',
          { ...(!('authorization' in headers) && { client_id: spa }), token },
          headers,
        ),
      ),
      rejected,
    )
})

test('other clients do not get in without their secret, and look like unknown ones', async () => {
  const unknown = await asked('/oauth/token', 'nobody')
  for (const path of ['/oauth/token', '/oauth/revoke'])
    for (const clientId of ['nobody', web.clientId, setup.machine.clientId, setup.server.clientId]) {
      const reply = await asked(path, clientId)
      assert.deepEqual(shownOf(reply), rejected, `${path} ${clientId}`)
      assert.deepEqual({ ...reply.json, request_id: '' }, { ...unknown.json, request_id: '' }, `${path} ${clientId}`)
    }
  const disabled = await make('spa')
  await admin.update(disabled.clientId, { enabled: false })
  assert.deepEqual(shownOf(await asked('/oauth/token', disabled.clientId)), rejected)
  const failures = await auditOf(app, 'oauth_client_auth_failed')
  assert.ok(failures.some(({ details }) => details?.client === web.clientId))
})

test('no secret lets a public client in, even if one was stored by hand', async () => {
  const client = await make('spa', { name: 'with a stored secret' })
  const secret = 'a-secret-of-24-characters-or-more'
  await sql`INSERT INTO oauth_client_secrets (id, client_id, secret_hash, hint)
    SELECT ${newId()}, id, ${sha256Bytes(secret)}, 'a' FROM oauth_clients WHERE client_id = ${client.clientId}`.execute(
    app.ctx.db,
  )
  const stored = { ...client, secret }
  for (const given of [{ ...stored }, { ...stored, secret: 'wrong' }]) {
    assert.deepEqual(shownOf(await postForm(app, '/oauth/token', form, basic(given))), rejected)
    assert.deepEqual(shownOf(await asked('/oauth/token', client.clientId, { client_secret: given.secret })), rejected)
  }
  const bearer = { authorization: 'Bearer x' }
  assert.deepEqual(shownOf(await asked('/oauth/token', client.clientId, {}, bearer)), rejected)
})

test('others who know a public client do not use up its limit', async () => {
  const client = await make('spa')
  const send = (from: string) =>
    app.call('POST', '/oauth/token', {
      ...{ body: new URLSearchParams({ ...form, client_id: client.clientId }).toString(), from },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  for (let at = 0; at < 6; at++) assert.deepEqual(shownOf(await send('203.0.113.1')), identified)
  assert.equal((await send('203.0.113.1')).status, 429)
  assert.deepEqual(shownOf(await send('203.0.113.2')), identified)
})

test('the use of a public client is recorded', async () => {
  const { clientId } = await make('spa')
  await asked('/oauth/token', clientId)
  await secretUsesOf(app.ctx).flush(true)
  const { json } = await admin.call('GET', `${clientsPath}/${clientId}`)
  assert.ok(json.data.last_used_at)
  await postForm(app, '/oauth/token', form, basic(web))
  await secretUsesOf(app.ctx).flush(true)
  const { data } = (await admin.call('GET', `${clientsPath}/${web.clientId}`)).json
  assert.deepEqual([data.last_used_at !== null, data.secrets[0].last_used_at], [true, data.last_used_at])
})

const preflight = (path: string, from: string) =>
  app.call('OPTIONS', path, {
    headers: {
      origin: from,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  })
const grantsIn = ({ headers }: Reply) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')))

test('a preflight is answered for origins of enabled single-page applications only', async () => {
  for (const path of ['/oauth/token', '/oauth/revoke']) {
    const { status, headers } = await preflight(path, origin)
    assert.equal(status, 200)
    assert.deepEqual(grantsIn({ headers } as Reply), {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Content-Type, Authorization',
      'access-control-max-age': '600',
    })
    assert.match(String(headers.vary), /Origin/)
    for (const other of [
      foreign,
      'null',
      `${origin}:444`,
      'http://shop.example.com',
      'https://front.example.com',
      app.ctx.config.PUBLIC_URL,
    ])
      assert.deepEqual(grantsIn(await preflight(path, other)), {}, other)
  }
  for (const path of ['/oauth/introspect', '/auth/me', '/oauth/nothing'])
    assert.deepEqual(grantsIn(await preflight(path, origin)), {}, path)
})

test('only pages of its own origins read the response to a client, and never with cookies', async () => {
  const page = { origin }
  const readable = {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'WWW-Authenticate, Retry-After',
  }
  assert.deepEqual(grantsIn(await asked('/oauth/revoke', spa, {}, page)), readable)
  assert.deepEqual(grantsIn(await asked('/oauth/token', spa, {}, page)), readable, 'also a rejection')
  const other = await make('spa', { allowed_origins: [foreign] })
  assert.deepEqual(grantsIn(await preflight('/oauth/token', foreign))['access-control-allow-origin'], foreign)
  for (const reply of [
    await asked('/oauth/revoke', other.clientId, {}, page),
    await asked('/oauth/revoke', spa, {}, { origin: foreign }),
    await asked('/oauth/revoke', spa, {}, { origin: 'https://front.example.com' }),
    await asked('/oauth/revoke', 'nobody', {}, page),
    await postForm(app, '/oauth/revoke', { token: 'x' }, { ...basic(web), ...page }),
    await postForm(app, '/oauth/introspect', { token: 'x' }, { ...basic(setup.server), ...page }),
  ])
    assert.deepEqual(grantsIn(reply), {})
})

test('a page signs its user in, and reads the tokens and the claims', async () => {
  const client = await make('spa', { allowed_origins: [origin], redirect_uris: [redirectUri] })
  const { browser } = await signedInVisitor(app)
  const page = { origin }
  const redeem = (code: string, headers: Record<string, string>) => {
    const body = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
    return postForm(app, '/oauth/token', { ...body, client_id: client.clientId }, headers)
  }
  const code = codeIn(await authorized(browser, client, { scope: 'openid' }))
  const redeemed = await redeem(code, page)
  assert.equal(redeemed.status, 200, redeemed.text)
  assert.equal(grantsIn(redeemed)['access-control-allow-origin'], origin)
  const refresh = { grant_type: 'refresh_token', refresh_token: redeemed.json.refresh_token }
  const refreshed = await postForm(app, '/oauth/token', { ...refresh, client_id: client.clientId }, page)
  assert.equal(refreshed.status, 200, refreshed.text)
  const claims = (headers: object) =>
    app.get('/oauth/userinfo', { headers: { authorization: `Bearer ${refreshed.json.access_token}`, ...headers } })
  const read = await claims(page)
  assert.deepEqual([read.status, grantsIn(read)['access-control-allow-origin']], [200, origin])
  for (const from of [foreign, 'https://front.example.com', 'null'])
    assert.deepEqual(grantsIn(await claims({ origin: from })), {}, from)
  assert.match(String(grantsIn(await preflight('/oauth/userinfo', origin))['access-control-allow-methods']), /GET/)
})

test('A05: an app on loopback gets its code at any port, and only at the host that it registered', async () => {
  const client = await make('native', { redirect_uris: ['http://127.0.0.1/cb'] })
  const { browser } = await signedInVisitor(app)
  const sent = { scope: 'openid', redirect_uri: 'http://127.0.0.1:53682/cb' }
  const response = await authorized(browser, client, sent)
  assert.equal(response.href.split('?')[0], sent.redirect_uri)
  for (const wrong of ['http://127.0.0.1:53683/cb', 'http://127.0.0.1/cb'])
    assert.equal(
      (await redeemCode(app, client, codeIn(response), { redirect_uri: wrong, client_id: client.clientId })).json.error,
      'invalid_grant',
      wrong,
    )
  const more = { redirect_uri: sent.redirect_uri, client_id: client.clientId }
  assert.equal((await redeemCode(app, client, codeIn(response), more)).status, 200)
  for (const redirect_uri of [
    'http://127.0.0.1.evil/cb',
    'http://127.0.0.1:80@evil',
    'http://localhost/cb',
    'http://[::1]/cb',
    'http://127.1/cb',
  ]) {
    const { status, headers } = await browser.open(authorizeAddress(client, { ...sent, redirect_uri }))
    assert.deepEqual([status, headers.location], [400, undefined], redirect_uri)
  }
})

test('the origins of a client that is disabled, changed or deleted are no longer granted', async () => {
  const granted = async (from: string) =>
    'access-control-allow-origin' in grantsIn(await preflight('/oauth/token', from))
  const [one, two] = ['https://one.example.com', 'https://two.example.com']
  const { clientId } = await make('spa', { allowed_origins: [one] })
  assert.deepEqual([await granted(one), await granted(two)], [true, false])
  await admin.update(clientId, { allowed_origins: [two] })
  assert.deepEqual([await granted(one), await granted(two)], [false, true])
  await admin.update(clientId, { enabled: false })
  assert.equal(await granted(two), false)
  await admin.update(clientId, { enabled: true })
  assert.equal(await granted(two), true)
  const version = () => findDirectoryVersion(app.ctx.db)
  const before = await version()
  await sql`UPDATE oauth_clients SET name = 'By hand' WHERE client_id = ${clientId}`.execute(app.ctx.db)
  assert.equal(await version(), before)
  await sql`UPDATE oauth_clients SET allowed_origins = '{}' WHERE client_id = ${clientId}`.execute(app.ctx.db)
  assert.equal(await version(), before + 1, 'other nodes learn of statements by hand')
  await admin.update(clientId, { allowed_origins: [two] })
  assert.equal((await admin.call('DELETE', `${clientsPath}/${clientId}`)).status, 200)
  assert.equal(await granted(two), false)
  const application = `/auth/admin/applications/${setup.application.id}`
  assert.equal(await granted(origin), true)
  assert.equal((await admin.call('POST', `${application}/disable`, {})).status, 200)
  assert.equal(await granted(origin), false)
  assert.equal((await admin.call('POST', `${application}/enable`, {})).status, 200)
  await eventually(async () => (await clientsOf(app.ctx).read(spa))?.isLive === true)
})
