import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { bridgeSecret, startTestApp, type TestApp } from '../../support/test-app.ts'
import { createAccountKey } from '../api-keys/support.ts'
import {
  type MachineSetup,
  machineSetup,
  type OAuthAdmin,
  oauthAdmin,
  oauthEnv,
  oauthModules,
  tokenOf,
} from './support.ts'

const publicUrl = 'https://id.example.com'

let app: TestApp
let admin: OAuthAdmin
let jwt: MachineSetup
let opaque: MachineSetup
before(async () => {
  app = await startTestApp({ modules: oauthModules, env: { ...oauthEnv, PUBLIC_URL: publicUrl } })
  admin = await oauthAdmin(app)
  jwt = await machineSetup(admin)
  opaque = await machineSetup(admin, { token_format: 'opaque' })
})
after(() => app.stop())

const validate = (body: object, secret: string = bridgeSecret) =>
  app.post('/auth/bridge/validate', body, { headers: { 'x-bridge-secret': secret } })
const verify = (query: string, token: string) =>
  app.get(`/auth/verify?${query}`, {
    headers: { 'x-bridge-secret': bridgeSecret, authorization: `Bearer ${token}` },
  })

for (const format of ['jwt', 'opaque'] as const) {
  const setup = () => (format === 'jwt' ? jwt : opaque)
  const other = () => (format === 'jwt' ? opaque : jwt)

  test(`the bridge accepts tokens for one resource: ${format}`, async () => {
    const { machine, application, api, account } = setup()
    const token = await tokenOf(app, machine)
    const resource = api.identifier
    const first = await validate({ credential: token, resource })
    assert.equal(first.status, 200, first.text)
    const { kind, user, session, key, client, scopes, service_account, owners, expires_at, ...more } = first.json
    assert.deepEqual([kind, user, session, key, more.resource], ['token', null, null, null, resource])
    assert.deepEqual(client, { id: machine.clientId, name: machine.clientId, type: 'machine' })
    assert.deepEqual(service_account, { id: account.id, name: 'Deployment' })
    assert.deepEqual(scopes, [application.read, application.write])
    assert.equal(Math.floor(Date.parse(expires_at) / 1000), Math.floor(app.clock.now() / 1000) + 600)
    assert.ok(owners.includes(account.id) && owners.includes(application.id) && owners.includes(api.id))
    assert.equal((await validate({ credential: token, resource: `${resource}/` })).json.cacheSource, 'memory')
    for (const wrong of [other().api.identifier, publicUrl, `${resource}/v2`, 'x']) {
      const { status, json } = await validate({ credential: token, resource: wrong })
      assert.deepEqual([status, json.code], [401, 'INVALID_CREDENTIAL'], wrong)
    }
    assert.equal((await validate({ credential: token, resource })).status, 200)
  })

  test(`a token is nothing without a resource: ${format}`, async () => {
    const token = await tokenOf(app, setup().machine)
    for (const body of [
      { credential: token },
      { credential: token, accept: ['token'] },
      { credential: 'x', accept: ['token'] },
    ])
      assert.deepEqual((await validate(body)).json.code, 'RESOURCE_REQUIRED', JSON.stringify(body))
    const [result] = (await validate({ credentials: [token] })).json.results
    assert.equal(result.code, 'RESOURCE_REQUIRED')
    assert.equal((await verify('accept=token', token)).json.code, 'RESOURCE_REQUIRED')
    assert.equal((await verify(`accept=api_key&resource=${setup().api.identifier}`, token)).status, 400)
  })

  test(`scopes are judged at every use: ${format}`, async () => {
    const { machine, application, api } = setup()
    const credential = await tokenOf(app, machine, { scope: application.read })
    const asked = async (scope: string) =>
      (await validate({ credential, resource: api.identifier, scopes: [scope] })).json.code ?? 'valid'
    const order = [application.write, application.read, application.write]
    const outcomes = []
    for (const scope of order) outcomes.push(await asked(scope))
    assert.deepEqual(outcomes, ['INSUFFICIENT_SCOPE', 'valid', 'INSUFFICIENT_SCOPE'])
  })

  test(`the secret of another application opens no token: ${format}`, async () => {
    const { machine, application, api } = setup()
    const token = await tokenOf(app, machine)
    const own = await application.create()
    const foreign = await other().application.create()
    const asked = async (secret: string, resource: string) =>
      (await validate({ credential: token, resource }, secret)).json.code ?? 'valid'
    assert.equal(await asked(own.secret, api.identifier), 'valid')
    assert.equal(await asked(foreign.secret, api.identifier), 'INVALID_CREDENTIAL')
    assert.equal(await asked(foreign.secret, other().api.identifier), 'INVALID_CREDENTIAL')
  })

  test(`gateways accept tokens for their resource, and describe the client: ${format}`, async () => {
    const { machine, application, api, account } = setup()
    const token = await tokenOf(app, machine)
    const query = `accept=session,token&resource=${encodeURIComponent(api.identifier)}`
    const { status, headers } = await verify(`${query}&scope=${application.read}`, token)
    assert.equal(status, 200)
    assert.deepEqual(
      [headers['x-auth-kind'], headers['x-auth-client-id'], headers['x-auth-service-account-id']],
      ['token', machine.clientId, account.id],
    )
    assert.equal((await verify(`accept=token&resource=${other().api.identifier}`, token)).status, 401)
    assert.equal((await verify(`${query}&scope=nothing:here`, token)).status, 403)
    assert.equal((await verify('accept=session', token)).status, 401)
  })
}

test('tokens for the API of this service call its routes with their scope, and others do not', async () => {
  const account = await admin.account(['wardenry:users:read'])
  const { application, machine: other, api } = jwt
  const client = await admin.client({
    application_id: application.id,
    type: 'machine',
    service_account_id: account.id,
    scopes: ['wardenry:users:read'],
  })
  const call = (url: string, token: string) => app.get(url, { headers: { authorization: `Bearer ${token}` } })
  const token = await tokenOf(app, client, { resource: publicUrl })
  assert.match(token, /^wat_/)
  assert.equal((await call('/auth/users?limit=1', token)).status, 200)
  assert.equal((await call('/auth/admin/applications', token)).json.code, 'INSUFFICIENT_SCOPE')
  assert.deepEqual((await call('/auth/passkeys', token)).json.code, 'KEY_NOT_ACCEPTED')
  const foreign = await call('/auth/users?limit=1', await tokenOf(app, other, { resource: api.identifier }))
  assert.deepEqual([foreign.status, foreign.json.code], [401, 'INVALID_CREDENTIAL'])
  assert.equal((await validate({ credential: token, resource: publicUrl })).json.resource, publicUrl)
  await admin.update(client.clientId, { enabled: false })
  assert.equal((await call('/auth/users?limit=1', token)).status, 401)
})

test('a key needs no resource, and a token and a key in one request are rejected', async () => {
  const { account, application, machine, api } = jwt
  const { json } = await createAccountKey(app, admin.root, account.id, { scopes: [application.read] })
  assert.equal((await validate({ credential: json.data.key, resource: api.identifier })).json.kind, 'api_key')
  const token = await tokenOf(app, machine)
  const { results } = (await validate({ credentials: [token, json.data.key, 'x'], resource: api.identifier })).json
  assert.deepEqual(
    results.map((one: { kind?: string; code?: string }) => one.kind ?? one.code),
    ['token', 'api_key', 'INVALID_CREDENTIAL'],
  )
})

test("an application says for which API tokens are accepted at the paths whose query is the visitor's", async () => {
  const { application, api, machine } = await machineSetup(admin)
  const path = `/auth/admin/applications/${application.id}`
  const change = async (members: object) => (await admin.call('PUT', path, members)).status
  const rights = { name: 'Gateway', rights: ['sessions'] }
  const { secret } = (await admin.call('POST', `${path}/secrets`, rights)).json.data
  const [token, elsewhere] = [await tokenOf(app, machine), await tokenOf(app, jwt.machine)]
  const outcome = async (credential: string, query = '') => {
    const headers = { 'x-bridge-secret': secret, authorization: `Bearer ${credential}` }
    const { status, json } = await app.get(`/auth/verify/for/page${query}`, { headers })
    return json.code ?? status
  }
  const resource = api.identifier
  assert.equal(await outcome(token, `?accept=token&resource=${encodeURIComponent(resource)}`), 'INVALID_SESSION')
  assert.equal(await change({ gateway_accept: ['token'] }), 400, 'no API')
  assert.equal(await change({ gateway_resource: resource }), 400, 'no tokens')
  assert.equal(await change({ gateway_accept: ['token'], gateway_resource: 'api.example.com' }), 400, 'no URI')
  assert.equal(await change({ gateway_accept: ['token'], gateway_resource: resource }), 200)
  assert.equal(await outcome(token), 200)
  assert.equal(await outcome(elsewhere), 'INVALID_CREDENTIAL')
  assert.equal(await change({ gateway_scope: ['other:scope'] }), 200)
  assert.equal(await outcome(token), 'INSUFFICIENT_SCOPE')
  assert.equal(await change({ gateway_scope: [], gateway_resource: jwt.api.identifier }), 200)
  assert.equal(await outcome(token), 'INVALID_CREDENTIAL')
  assert.equal(await outcome(elsewhere), 'INVALID_CREDENTIAL', 'the API of another application')
  assert.equal(await change({ gateway_accept: [] }), 400, 'an API without tokens')
  assert.equal(await change({ gateway_accept: [], gateway_resource: null }), 200)
  assert.equal(await outcome(token), 'INVALID_SESSION')
})
