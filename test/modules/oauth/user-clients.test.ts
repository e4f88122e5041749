import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { clientsOf } from '../../../src/modules/oauth/clients/client.ts'
import { examineClients } from '../../../src/modules/oauth/clients/examine-clients.ts'
import { withSession } from '../../support/people.ts'
import { auditOf } from '../../support/rows.ts'
import { eventsDuring } from '../../support/service-events.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { limitedAdmin } from '../api-keys/support.ts'
import {
  clientsPath,
  type MachineSetup,
  machineSetup,
  type OAuthAdmin,
  oauthAdmin,
  oauthEnv,
  oauthModules,
} from './support.ts'

let app: TestApp
let admin: OAuthAdmin
let setup: MachineSetup
before(async () => {
  app = await startTestApp({
    modules: [...oauthModules, 'onboarding'],
    env: { ...oauthEnv, NODE_ENV: 'test', PUBLIC_URL: 'https://id.example.com' },
  })
  admin = await oauthAdmin(app)
  setup = await machineSetup(admin)
})
after(() => app.stop())

const redirects = {
  web: 'https://shop.example.com/callback',
  spa: 'https://shop.example.com/',
  native: 'com.example.shop:/callback',
}
type UserType = keyof typeof redirects

const bodyOf = (type: UserType, more: object = {}) => ({
  ...{ application_id: setup.application.id, type, scopes: ['openid', 'profile'], redirect_uris: [redirects[type]] },
  ...more,
})
const create = (body: object) => admin.call('POST', clientsPath, body)
const show = async (clientId: string) => (await admin.call('GET', `${clientsPath}/${clientId}`)).json.data

test('a web application has a secret, and requires PKCE unless it says otherwise', async () => {
  const made = await create(
    bodyOf('web', {
      scopes: ['openid', 'address', 'roles', 'offline_access', 'wardenry:profile:read', setup.application.read],
      resources: [setup.api.id],
      post_logout_uris: ['https://shop.example.com/'],
      ...{ trusted: true, id_token_alg: 'ES256', id_token_claims: true, groups_claim: true, offline_default: true },
      ...{
        refresh_idle_ttl: 3_600,
        refresh_absolute_ttl: 31_536_000,
        allowed_types: ['customer', 'admin', 'customer'],
      },
      ...{ required_permission: setup.application.write, backchannel_uri: 'https://shop.example.com/logout' },
    }),
  )
  assert.equal(made.status, 200, made.text)
  assert.match(made.json.client_secret, /^wcs_/)
  const { data } = made.json
  assert.deepEqual(data, await show(data.client_id))
  assert.deepEqual(
    [data.grant_types, data.auth_method, data.require_pkce, data.allowed_types, data.secrets.length],
    [['authorization_code', 'refresh_token'], 'client_secret', true, ['admin', 'customer'], 1],
  )
  assert.deepEqual(
    [data.redirect_uris, data.post_logout_uris, data.backchannel_uri, data.required_permission],
    [[redirects.web], ['https://shop.example.com/'], 'https://shop.example.com/logout', setup.application.write],
  )
  const { data: without } = await admin.update(data.client_id, { require_pkce: false, id_token_alg: null })
  assert.deepEqual([without.require_pkce, without.id_token_alg, without.trusted], [false, null, true])
  const view = await clientsOf(app.ctx).read(data.client_id)
  assert.deepEqual(
    [view?.signIn.requirePkce, view?.signIn.isTrusted, view?.signIn.idTokenAlg, view?.signIn.refreshIdleTtl],
    [false, true, 'RS256', 3_600_000],
  )
  const [created] = (await auditOf(app, 'oauth_client_created')).filter(
    ({ details }) => details?.client === data.client_id,
  )
  assert.deepEqual(created?.details?.redirect_uris, [redirects.web])
})

test('programs without a server have no secret and cannot get one', async () => {
  for (const type of ['spa', 'native'] as const) {
    const made = await create(bodyOf(type))
    assert.deepEqual([made.status, made.json.client_secret], [200, undefined], made.text)
    const { client_id: id, auth_method, require_pkce, offline_default, secrets } = made.json.data
    assert.deepEqual([auth_method, require_pkce, offline_default, secrets], ['none', true, type === 'native', []])
    for (const [method, path, body, field] of [
      ['POST', `${clientsPath}/${id}/secrets`, {}, 'client_id'],
      ['POST', clientsPath, bodyOf(type, { secret: 'a-secret-of-24-characters-7' }), 'secret'],
      ['POST', clientsPath, bodyOf(type, { auth_method: 'client_secret' }), 'auth_method'],
      ['PUT', `${clientsPath}/${id}`, { auth_method: 'client_secret' }, 'auth_method'],
      ['PUT', `${clientsPath}/${id}`, { require_pkce: false }, 'require_pkce'],
    ] as const) {
      const { status, json } = await admin.call(method, path, body)
      assert.deepEqual([status, json.details?.[0]?.field], [400, field], `${type} ${method} ${field}`)
    }
    assert.equal((await admin.call('DELETE', `${clientsPath}/${id}/secrets/${setup.api.id}`)).status, 404)
    const { rows } = await sql`SELECT FROM oauth_client_secrets s JOIN oauth_clients c ON c.id = s.client_id
      WHERE c.client_id = ${id}`.execute(app.ctx.db)
    assert.equal(rows.length, 0)
  }
  const wrong = await create(bodyOf('web', { auth_method: 'none' }))
  assert.deepEqual([wrong.status, wrong.json.details?.[0]?.field], [400, 'auth_method'])
})

test('the members of a client fit its type', async () => {
  const account = { service_account_id: setup.account.id }
  const machine = { application_id: setup.application.id, type: 'machine', ...account }
  const server = { application_id: setup.application.id, type: 'resource_server' }
  for (const [body, field] of [
    [{ ...machine, redirect_uris: [redirects.web] }, 'redirect_uris'],
    [{ ...machine, redirect_uris: [] }, 'redirect_uris'],
    [{ ...machine, require_pkce: true }, 'require_pkce'],
    [{ ...machine, trusted: false }, 'trusted'],
    [{ ...machine, auth_method: 'none' }, 'auth_method'],
    [{ ...server, allowed_types: ['customer'] }, 'allowed_types'],
    [{ ...server, backchannel_uri: 'https://a.example/' }, 'backchannel_uri'],
    [bodyOf('web', account), 'service_account_id'],
    [bodyOf('web', { redirect_uris: undefined }), 'redirect_uris'],
    [bodyOf('spa', { redirect_uris: [] }), 'redirect_uris'],
    [bodyOf('web', { allowed_origins: ['https://shop.example.com'] }), 'allowed_origins'],
    [bodyOf('native', { allowed_origins: ['https://shop.example.com'] }), 'allowed_origins'],
    [bodyOf('native', { trusted: true }), 'trusted'],
    [bodyOf('spa', { offline_default: true }), 'offline_default'],
    [bodyOf('native', { backchannel_uri: 'https://a.example/' }), 'backchannel_uri'],
    [bodyOf('web', { allowed_types: ['customers'] }), 'allowed_types'],
    [bodyOf('web', { refresh_idle_ttl: 3_599 }), 'refresh_idle_ttl'],
    [bodyOf('web', { refresh_absolute_ttl: 31_536_001 }), 'refresh_absolute_ttl'],
    [bodyOf('web', { refresh_idle_ttl: 7_200, refresh_absolute_ttl: 3_600 }), 'refresh_idle_ttl'],
    [bodyOf('web', { id_token_alg: 'none' }), 'id_token_alg'],
    [bodyOf('web', { id_token_alg: 'HS256' }), 'id_token_alg'],
    [bodyOf('web', { required_permission: 'invoices:none' }), 'required_permission'],
    [bodyOf('web', { required_permission: 'wardenry:users:read' }), 'required_permission'],
    [bodyOf('web', { backchannel_uri: 'http://shop.example.com/logout' }), 'backchannel_uri'],
    [bodyOf('web', { backchannel_uri: 'https://shop.example.com/logout#x' }), 'backchannel_uri'],
    [bodyOf('spa', { allowed_origins: ['https://shop.example.com/'] }), 'allowed_origins'],
    [bodyOf('spa', { allowed_origins: ['http://shop.example.com'] }), 'allowed_origins'],
    [bodyOf('spa', { allowed_origins: ['https://*.example.com'] }), 'allowed_origins'],
    [bodyOf('spa', { allowed_origins: ['null'] }), 'allowed_origins'],
    [bodyOf('spa', { allowed_origins: ['*'] }), 'allowed_origins'],
  ] as const) {
    const { status, json, text } = await create(body)
    assert.deepEqual(
      [status, json.details?.[0]?.field.replace(/\..*/, '')],
      [400, field],
      `${JSON.stringify(body)} ${text}`,
    )
  }
  const other = await machineSetup(admin)
  const foreign = await create(bodyOf('web', { required_permission: other.application.read }))
  assert.equal(foreign.json.details?.[0]?.field, 'required_permission', 'of another application')
})

test('an address that could lead elsewhere is rejected with its reason', async () => {
  const { data } = (await create(bodyOf('web'))).json
  for (const [name, address, reason] of [
    ['redirect_uris', 'javascript:alert(1)', /runs code/],
    ['redirect_uris', 'http://shop.example.com/callback', /must be https/],
    ['redirect_uris', 'com.example.shop:/callback', /must be https/],
    ['post_logout_uris', 'https://shop.example.com/#x', /fragment/],
    ['post_logout_uris', 'https://shop.example.com/?state=x', /query member/],
  ] as const) {
    for (const { status, json } of [
      await create(bodyOf('web', { [name]: [redirects.web, address] })),
      await admin.call('PUT', `${clientsPath}/${data.client_id}`, { [name]: [address] }),
    ]) {
      assert.deepEqual([status, json.code, json.details[0].field], [400, 'OAUTH_REDIRECT_INVALID', name])
      assert.match(json.error, reason)
    }
  }
  const many = Array.from({ length: 21 }, (_, at) => `${redirects.web}/${at}`)
  const { status, json } = await create(bodyOf('web', { redirect_uris: many }))
  assert.deepEqual([status, json.details[0].field], [400, 'redirect_uris'])
  const local = await create(bodyOf('web', { redirect_uris: ['http://localhost:3000/callback'] }))
  assert.equal(local.status, 200, 'outside production')
  const [finding] = await examineClients(app.ctx.db, { isProduction: true })
  assert.deepEqual([finding?.state, finding?.text.includes(local.json.data.client_id)], ['notice', true])
  assert.deepEqual(await examineClients(app.ctx.db, { isProduction: false }), [])
  await admin.update(local.json.data.client_id, { redirect_uris: [redirects.web] })
  assert.deepEqual(await examineClients(app.ctx.db, { isProduction: true }), [])
})

test('the scopes are those of OpenID Connect, of the resources, and those that the administrator may give', async () => {
  const other = await machineSetup(admin)
  for (const [more, code] of [
    [{ scopes: ['openid', 'groups'] }, 'VALIDATION_ERROR'],
    [{ scopes: [setup.application.read] }, 'OAUTH_SCOPE_UNKNOWN'],
    [{ scopes: [other.application.read], resources: [setup.api.id] }, 'OAUTH_SCOPE_UNKNOWN'],
    [{ scopes: ['wardenry:settings:write'] }, 'KEY_SCOPE_NOT_ALLOWED'],
    [{ scopes: ['wardenry:nothing:read'] }, 'KEY_SCOPE_NOT_ALLOWED'],
  ] as const) {
    const { status, json } = await create(bodyOf('web', more))
    assert.deepEqual([status === 200, json.code], [false, code], JSON.stringify(more))
  }
  const limited = await limitedAdmin(app, 'applications:manage', 'applications:read', 'users:read')
  const call = (scopes: string[], resources: string[] = []) =>
    app.call('POST', clientsPath, { body: bodyOf('web', { scopes, resources }), ...withSession(limited.sessionToken) })
  assert.equal((await call(['openid', 'email', 'wardenry:users:read', 'wardenry:profile:read'])).status, 200)
  for (const [scope, resources] of [
    ['wardenry:audit:read', []],
    [setup.application.read, [setup.api.id]],
  ] as const) {
    const { status, json } = await call([scope], [...resources])
    assert.deepEqual([status, json.code], [403, 'KEY_SCOPE_NOT_ALLOWED'], scope)
  }
})

test('a change of addresses reaches nodes that know the client, and back ends', async () => {
  const { data } = (await create(bodyOf('spa', { allowed_origins: ['https://shop.example.com'] }))).json
  const before = await clientsOf(app.ctx).read(data.client_id)
  const events = await eventsDuring(app, async () => {
    await admin.update(data.client_id, { redirect_uris: ['https://new.example.com/'], trusted: true })
  })
  assert.equal(clientsOf(app.ctx).recall(data.client_id), undefined)
  const after = await clientsOf(app.ctx).read(data.client_id)
  assert.deepEqual(after?.signIn.redirectUris, ['https://new.example.com/'])
  assert.ok((after?.epoch ?? 0) > (before?.epoch ?? 0))
  assert.deepEqual(
    events.map(({ data: { changed } }) => changed),
    [['redirect_uris', 'trusted']],
  )
  assert.equal(after?.tokensFromEpoch, before?.tokensFromEpoch, 'grants last')
})
