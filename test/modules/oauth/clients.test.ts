import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { registered, signedInAs, withSession } from '../../support/people.ts'
import { auditOf } from '../../support/rows.ts'
import { eventsDuring } from '../../support/service-events.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { limitedAdmin } from '../api-keys/support.ts'
import {
  askToken,
  basic,
  clientsPath,
  type MachineSetup,
  machineSetup,
  type OAuthAdmin,
  oauthAdmin,
  oauthEnv,
  oauthModules,
  postForm,
  resourcesPath,
} from './support.ts'

let app: TestApp
let admin: OAuthAdmin
let setup: MachineSetup
before(async () => {
  app = await startTestApp({ modules: oauthModules, env: { ...oauthEnv, PUBLIC_URL: 'https://id.example.com' } })
  admin = await oauthAdmin(app)
  setup = await machineSetup(admin)
})
after(() => app.stop())

const machineBody = (more: object = {}) => ({
  application_id: setup.application.id,
  type: 'machine',
  service_account_id: setup.account.id,
  scopes: [setup.application.read],
  resources: [setup.api.id],
  ...more,
})

test('a client is shown without its secret, which is stored as a hash', async () => {
  const { machine } = setup
  const { json, text } = await admin.call('GET', `${clientsPath}/${machine.clientId}`)
  assert.ok(!text.includes(machine.secret))
  assert.deepEqual(
    [json.data.type, json.data.enabled, json.data.grant_types, json.data.secrets.length],
    ['machine', true, ['client_credentials'], 1],
  )
  assert.equal(json.data.secrets[0].hint, `${machine.secret.slice(0, 8)}…${machine.secret.slice(-4)}`)
  const listed = await admin.call('GET', clientsPath)
  assert.ok(listed.json.data.clients.some((one: { client_id: string }) => one.client_id === machine.clientId))
  for (const table of ['oauth_clients', 'oauth_client_secrets', 'audit_events', 'events', 'outbox']) {
    const { rows } = await sql<{ row: string }>`SELECT t::text AS row FROM ${sql.table(table)} t`.execute(app.ctx.db)
    assert.ok(!rows.some(({ row }) => row.includes(machine.secret)), table)
  }
  assert.ok(!app.logged().includes(machine.secret))
})

test('an identifier and a secret from another authorization server keep working', async () => {
  const brought = { clientId: 'legacy.worker-1', secret: 'p%2F+w=:d &ä'.replace(/[ä ]/g, '!') + 'x'.repeat(16) }
  const created = await admin.call(
    'POST',
    clientsPath,
    machineBody({ client_id: brought.clientId, secret: brought.secret }),
  )
  assert.deepEqual([created.status, created.json.client_secret], [200, undefined], created.text)
  assert.equal((await askToken(app, brought)).status, 200, 'as it is')
  const encoded = { clientId: brought.clientId, secret: encodeURIComponent(brought.secret) }
  assert.equal((await askToken(app, encoded)).status, 200, 'encoded')
  const body = { grant_type: 'client_credentials', client_id: brought.clientId, client_secret: brought.secret }
  assert.equal((await postForm(app, '/oauth/token', body)).status, 200, 'in the body')
  const again = await admin.call('POST', clientsPath, machineBody({ client_id: brought.clientId }))
  assert.deepEqual([again.status, again.json.code], [409, 'OAUTH_CLIENT_ID_TAKEN'])
  await admin.call('DELETE', `${clientsPath}/${brought.clientId}`)
  assert.equal((await askToken(app, brought)).status, 401)
  const reused = await admin.call('POST', clientsPath, machineBody({ client_id: brought.clientId }))
  assert.deepEqual([reused.status, reused.json.code], [409, 'OAUTH_CLIENT_ID_TAKEN'], 'also after it was deleted')
})

test('invalid members are named, and nothing is stored', async () => {
  const count = async () => (await sql`SELECT FROM oauth_clients`.execute(app.ctx.db)).rows.length
  const [before, foreign] = [await count(), await machineSetup(admin)]
  for (const [more, name] of [
    [{ client_id: 'ab' }, 'client_id'],
    [{ client_id: 'https://a.example' }, 'client_id'],
    [{ client_id: '019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90' }, 'client_id'],
    [{ secret: 'short' }, 'secret'],
    [{ secret: 'a'.repeat(30) }, 'secret'],
    [{ secret: `${'ab cd'.repeat(6)}12345678` }, 'secret'],
    [{ application_id: setup.api.id }, 'application_id'],
    [{ service_account_id: setup.api.id }, 'service_account_id'],
    [{ service_account_id: undefined }, 'service_account_id'],
    [{ resources: [setup.account.id] }, 'resources'],
    [{ scopes: ['*'] }, 'scopes'],
    [{ access_ttl: 59 }, 'access_ttl'],
    [{ access_ttl: 86_401 }, 'access_ttl'],
    [{ type: 'resource_server' }, 'service_account_id'],
    [{ type: 'resource_server', service_account_id: undefined }, 'scopes'],
    [{ type: 'resource_server', service_account_id: undefined, scopes: [], resources: [foreign.api.id] }, 'resources'],
  ] as const) {
    const { status, json } = await admin.call('POST', clientsPath, machineBody(more))
    assert.deepEqual([status, json.details?.[0]?.field], [400, name], JSON.stringify(more))
  }
  const beyond = await admin.call('POST', clientsPath, machineBody({ scopes: [foreign.application.read] }))
  assert.deepEqual([beyond.status, beyond.json.code], [400, 'OAUTH_SCOPE_UNKNOWN'])
  const web = { type: 'web', service_account_id: undefined, redirect_uris: ['https://app.example.com/'] }
  const absent = await admin.call('POST', clientsPath, machineBody({ ...web, scopes: ['openid', 'address'] }))
  assert.deepEqual([absent.status, absent.json.code], [400, 'OAUTH_SCOPE_UNKNOWN'], 'without the onboarding module')
  assert.equal(await count(), before + 2)
})

test('an administrator gives clients no scopes above their own permissions', async () => {
  const account = await admin.account(['wardenry:users:read', 'wardenry:audit:read'])
  const limited = await limitedAdmin(app, 'applications:manage', 'clients:secrets', 'applications:read', 'users:read')
  const call = (method: string, url: string, body: object = {}) =>
    app.call(method, url, { body, ...withSession(limited.sessionToken) })
  const body = (scope: string) => machineBody({ service_account_id: account.id, scopes: [scope], resources: [] })
  const own = await call('POST', clientsPath, body('wardenry:users:read'))
  assert.equal(own.status, 200, own.text)
  const above = await call('POST', clientsPath, body('wardenry:audit:read'))
  assert.deepEqual([above.status, above.json.code], [403, 'KEY_SCOPE_NOT_ALLOWED'])
  const strong = await admin.client(body('wardenry:audit:read'))
  for (const [method, path, input] of [
    ['POST', '/secrets', {}],
    ['PUT', '', { name: 'Renamed' }],
    ['PUT', '', { scopes: ['wardenry:users:read', 'wardenry:audit:read'] }],
  ] as const) {
    const { status, json } = await call(method, `${clientsPath}/${strong.clientId}${path}`, input)
    assert.deepEqual([status, json.code], [403, 'KEY_SCOPE_NOT_ALLOWED'], path)
  }
  assert.equal((await call('PUT', `${clientsPath}/${strong.clientId}`, { enabled: false })).status, 200)
  assert.equal((await askToken(app, strong)).status, 401)
})

test('changes need the permission and a recent authentication, and are audited', async () => {
  const customer = await registered(app)
  const staff = await signedInAs(app, 'admin')
  for (const { sessionToken } of [customer, staff]) {
    for (const [method, url] of [
      ['GET', clientsPath],
      ['GET', resourcesPath],
      ['POST', clientsPath],
      ['PUT', `${clientsPath}/${setup.machine.clientId}`],
      ['DELETE', `${clientsPath}/${setup.machine.clientId}`],
      ['POST', `${clientsPath}/${setup.machine.clientId}/secrets`],
      ['POST', resourcesPath],
      ['DELETE', `${resourcesPath}/${setup.api.id}`],
    ] as const) {
      const body = method === 'GET' ? {} : { body: machineBody() }
      const { status } = await app.call(method, url, { ...body, ...withSession(sessionToken) })
      assert.equal(status, 403, `${method} ${url}`)
    }
  }
  const events = await auditOf(app, 'oauth_client_created')
  assert.ok(events.length > 0)
})

test('identifiers of resources are compared without case of the host, default port and empty path', async () => {
  const { id, identifier } = await admin.resource(setup.application.id, { aliases: ['https://old.example.com/v1'] })
  await admin.update(setup.machine.clientId, { resources: [setup.api.id, id] })
  const asked = (resource: string) => askToken(app, setup.machine, { resource, scope: setup.application.read })
  for (const same of [
    identifier,
    `${identifier}/`,
    identifier.toUpperCase(),
    `${identifier}:443`,
    'https://old.example.com/v1',
  ])
    assert.equal((await asked(same)).status, 200, same)
  for (const other of [
    `${identifier}/x`,
    `${identifier}?a=1`,
    `${identifier}:444`,
    identifier.replace('https', 'http'),
    'https://old.example.com/V1',
  ])
    assert.equal((await asked(other)).json.error, 'invalid_target', other)
  for (const taken of [identifier, `${identifier}/`, 'https://OLD.example.com/v1']) {
    const body = { application_id: setup.application.id, identifier: taken }
    assert.equal((await admin.call('POST', resourcesPath, body)).json.code, 'OAUTH_RESOURCE_TAKEN', taken)
  }
  for (const wrong of [
    'api',
    'https://a@b.example',
    'https://a.example/#x',
    'https://id.example.com/',
    'https://a b',
    'file:///etc/passwd',
    'javascript:alert(1)',
    `https://\${SECRET}.example.com`,
  ])
    assert.equal(
      (await admin.call('POST', resourcesPath, { application_id: setup.application.id, identifier: wrong })).json
        .details?.[0].field,
      'identifier',
      wrong,
    )
})

test('a secret may be sent in one way only, and duplicates are rejected', async () => {
  const { machine } = setup
  const form = (text: string, headers = {}) => postForm(app, '/oauth/token', text, headers)
  const grant = 'grant_type=client_credentials'
  for (const [text, headers, error] of [
    [`${grant}&client_id=${machine.clientId}&client_secret=${machine.secret}`, basic(machine), 'invalid_request'],
    [`${grant}&client_id=another`, basic(machine), 'invalid_request'],
    [`${grant}&${grant}`, basic(machine), 'invalid_request'],
    [`${grant}&scope=a&scope=b`, basic(machine), 'invalid_request'],
    [`${grant}&scope=%00`, basic(machine), 'invalid_request'],
    [`${grant}&scope=%ED%A0%80`, basic(machine), 'invalid_scope'],
    [`${grant}&scope=${'x'.repeat(20_001)}`, basic(machine), 'invalid_request'],
    [`${grant}&resource=${'x'.repeat(2_049)}`, basic(machine), 'invalid_target'],
    [
      `${grant}&${Array.from({ length: 2_001 }, (_, index) => `k${index}`).join('&')}`,
      basic(machine),
      'invalid_request',
    ],
    [grant, {}, 'invalid_client'],
    [`${grant}&client_id=${machine.clientId}`, {}, 'invalid_client'],
    [grant, { authorization: 'Basic !!!' }, 'invalid_client'],
  ] as const) {
    const { status, json } = await form(text, headers)
    assert.deepEqual([status, json.error], [error === 'invalid_client' ? 401 : 400, error], text)
  }
  assert.equal((await form(`${grant}&unknown=1&client_id=${machine.clientId}`, basic(machine))).status, 200)
  const wrong = await form(grant, basic({ ...machine, secret: 'wrong' }))
  assert.equal(wrong.headers['www-authenticate'], 'Basic realm="oauth"')
  const json = await app.post('/oauth/token', { grant_type: 'client_credentials' }, { headers: basic(machine) })
  assert.deepEqual([json.status, json.json.error], [415, 'invalid_request'])
})

test('back ends learn of clients that are created, changed and deleted', async () => {
  const clientId = 'followed'
  const path = `${clientsPath}/${clientId}`
  const events = await eventsDuring(app, async () => {
    await admin.client(machineBody({ client_id: clientId }))
    for (const change of [{ name: 'Worker' }, { name: 'Worker' }, { enabled: false }])
      await admin.update(clientId, change)
    assert.equal((await admin.call('POST', `${path}/secrets`, {})).status, 200)
    assert.equal((await admin.call('DELETE', path)).status, 200)
  })
  assert.deepEqual(
    events.map(({ type, data }) => [type, data]),
    [
      ['client.created', { client_id: clientId }],
      ['client.updated', { client_id: clientId, changed: ['name'] }],
      ['client.updated', { client_id: clientId, changed: ['enabled'] }],
      ['client.updated', { client_id: clientId, changed: ['secrets'] }],
      ['client.deleted', { client_id: clientId }],
    ],
  )
})
