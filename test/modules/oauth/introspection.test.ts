import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute } from '../../../src/lib/time.ts'
import { eventually } from '../../support/eventually.ts'
import { auditOf } from '../../support/rows.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { createAccountKey, createKey } from '../api-keys/support.ts'
import {
  basic,
  type MachineSetup,
  type MadeClient,
  machineSetup,
  type OAuthAdmin,
  oauthAdmin,
  oauthEnv,
  oauthModules,
  postForm,
  tokenOf,
} from './support.ts'

let app: TestApp
let admin: OAuthAdmin
let jwt: MachineSetup
let opaque: MachineSetup
before(async () => {
  app = await startTestApp({ modules: oauthModules, env: { ...oauthEnv, PUBLIC_URL: 'https://id.example.com' } })
  admin = await oauthAdmin(app)
  jwt = await machineSetup(admin)
  opaque = await machineSetup(admin, { token_format: 'opaque' })
})
after(() => app.stop())

const introspect = async (by: MadeClient, token: string, more: Record<string, string> = {}) =>
  (await postForm(app, '/oauth/introspect', { token, ...more }, basic(by))).json
const isActive = async (by: MadeClient, token: string): Promise<boolean> => (await introspect(by, token)).active
const revoke = (by: MadeClient, token: string) => postForm(app, '/oauth/revoke', { token }, basic(by))
const both = () => [jwt, opaque]

test('minimal is true or false, and nothing else', async () => {
  const token = await tokenOf(app, jwt.machine)
  for (const minimal of ['TRUE', '1', 'yes']) {
    const { status, json } = await postForm(app, '/oauth/introspect', { token, minimal }, basic(jwt.server))
    const body = { error: 'invalid_request', error_description: 'minimal must be true or false' }
    assert.deepEqual([status, { ...json, request_id: undefined }], [400, { ...body, request_id: undefined }], minimal)
  }
  for (const minimal of ['false', ''])
    assert.equal((await introspect(jwt.server, token, { minimal })).client_id, jwt.machine.clientId, minimal)
})

test('the resource server and the client itself see the token, and nobody else does', async () => {
  for (const [setup, other] of [
    [jwt, opaque],
    [opaque, jwt],
  ] as const) {
    const token = await tokenOf(app, setup.machine, { scope: setup.application.read })
    const { jti, ...seen } = await introspect(setup.server, token)
    const now = Math.floor(app.clock.now() / 1000)
    assert.deepEqual(seen, {
      active: true,
      scope: setup.application.read,
      client_id: setup.machine.clientId,
      token_type: 'Bearer',
      exp: now + 600,
      iat: now,
      sub: setup.machine.clientId,
      aud: setup.api.identifier,
      iss: 'https://id.example.com',
      kind: 'token',
    })
    assert.equal(typeof jti, setup === jwt ? 'string' : 'undefined')
    assert.equal(await isActive(setup.machine, token), true)
    assert.deepEqual(await introspect(setup.server, token, { minimal: 'true' }), { active: true, exp: now + 600 })
    for (const stranger of [other.server, other.machine]) {
      // From memory and from the database.
      assert.deepEqual(await introspect(stranger, token), { active: false })
      const headers = { ...basic(stranger), accept: 'application/token-introspection+jwt' }
      assert.equal((await postForm(app, '/oauth/introspect', { token }, headers)).text, '{"active":false}')
    }
    assert.equal(await isActive(setup.server, token), true, 'no other answer was kept')
  }
})

test('whatever is not a valid token is inactive', async () => {
  for (const { server, machine } of both()) {
    const token = await tokenOf(app, machine)
    const changed = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')
    for (const text of [changed, token.slice(0, -1), token.slice(0, -10), `${token}A`, token.toLowerCase(), 'x'])
      assert.deepEqual(await introspect(server, text), { active: false }, text)
    app.clock.advance(10 * minute)
    assert.deepEqual(await introspect(server, token), { active: false })
  }
})

test('a revoked token is rejected, and another client cannot revoke it', async () => {
  for (const [{ server, machine }, other] of [
    [jwt, opaque],
    [opaque, jwt],
  ] as const) {
    const [token, second] = [await tokenOf(app, machine), await tokenOf(app, machine)]
    assert.equal(await isActive(server, token), true)
    const foreign = await revoke(other.machine, token)
    assert.deepEqual([foreign.status, foreign.json], [200, { success: true }])
    assert.equal(await isActive(server, token), true)
    const own = await revoke(machine, token)
    assert.deepEqual([own.status, own.text], [foreign.status, foreign.text])
    assert.equal(await isActive(server, token), false)
    assert.equal(await isActive(server, second), true)
    assert.equal((await revoke(machine, token)).status, 200)
    assert.equal((await revoke(machine, 'unknown')).status, 200)
  }
  assert.equal((await auditOf(app, 'oauth_token_revoked')).length, 2)
  await eventually(async () => {
    const refused = await auditOf(app, 'oauth_request_refused')
    const owners = refused.flatMap(({ details }) => (details.reason === 'foreign_revocation' ? [details.owner] : []))
    return owners.join() === [jwt.machine.clientId, opaque.machine.clientId].join()
  })
})

test('a revoked JWT stays revoked when its signature is written differently', async () => {
  const { machine, server } = jwt
  const token = await tokenOf(app, machine)
  await revoke(machine, token)
  const [head, body, tail = ''] = token.split('.')
  const signature = Buffer.from(tail, 'base64url')
  // The order of P-256 minus s is as valid as s.
  const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551')
  const s = order - BigInt(`0x${signature.subarray(32).toString('hex')}`)
  const other = Buffer.concat([signature.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')])
  for (const written of [`${tail}=`, other.toString('base64url'), tail.replace(/.$/, (last) => next(last))])
    assert.equal(await isActive(server, [head, body, written].join('.')), false, written)
})

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** A digit that differs only in bits which the decoder drops. */
const next = (last: string): string => digits[digits.indexOf(last) ^ 1] ?? ''

test('the tokens of a client end with it, and do not come back', async () => {
  const isAfter = async (
    { machine, server }: MachineSetup,
    change: () => Promise<unknown>,
    undo?: () => Promise<unknown>,
  ) => {
    const token = await tokenOf(app, machine)
    assert.equal(await isActive(server, token), true)
    await change()
    const ended = await isActive(server, token)
    await undo?.()
    return [ended, await isActive(server, token)]
  }
  for (const format of ['jwt', 'opaque']) {
    const setup = await machineSetup(admin, { token_format: format })
    const { machine, account, api } = setup
    const put = (path: string, body: object) => admin.call('PUT', `/auth/admin/${path}`, body)
    const client = (enabled: boolean) => () => admin.update(machine.clientId, { enabled })
    assert.deepEqual(await isAfter(setup, client(false), client(true)), [false, false], 'client')
    const ofAccount = (enabled: boolean) => () => put(`service-accounts/${account.id}`, { enabled })
    assert.deepEqual(await isAfter(setup, ofAccount(false), ofAccount(true)), [false, false], 'account')
    const ofResource = (enabled: boolean) => () => put(`oauth/resources/${api.id}`, { enabled })
    assert.deepEqual(await isAfter(setup, ofResource(false), ofResource(true)), [false, false], 'resource')
    const has =
      (...resources: string[]) =>
      () =>
        admin.update(machine.clientId, { resources })
    assert.deepEqual(await isAfter(setup, has(), has(api.id)), [false, false], 'resource of the client')
    await isAfter(setup, has(opaque.api.id, api.id))
    assert.equal(await isActive(setup.server, await tokenOf(app, machine, { resource: api.identifier })), true)
  }
})

test('the tokens of a resource end with its application, also those of clients of other applications', async () => {
  for (const format of ['jwt', 'opaque']) {
    const { machine } = await machineSetup(admin)
    const { api, application } = await machineSetup(admin, { token_format: format })
    await admin.update(machine.clientId, { resources: [api.id] })
    const own = () => tokenOf(app, machine, { resource: api.identifier })
    const token = await own()
    assert.equal(await isActive(machine, token), true)
    for (const deed of ['disable', 'enable']) {
      assert.equal((await admin.call('POST', `/auth/admin/applications/${application.id}/${deed}`)).status, 200)
      assert.equal(await isActive(machine, token), false, deed)
    }
    assert.equal(await isActive(machine, await own()), true)
  }
})

test('tokens stay valid when the identifier of their resource becomes an alias, and end when it is dropped', async () => {
  for (const format of ['jwt', 'opaque']) {
    const { machine, server, api } = await machineSetup(admin, { token_format: format })
    const rename = (identifier: string, ...aliases: string[]) =>
      admin.call('PUT', `/auth/admin/oauth/resources/${api.id}`, { identifier, aliases })
    const token = await tokenOf(app, machine)
    assert.equal((await rename(`${api.identifier}/v2`, api.identifier)).status, 200)
    assert.equal(await isActive(server, token), true)
    const later = await tokenOf(app, machine)
    for (const identifier of [`${api.identifier}/v3`, `${api.identifier}/v2`]) {
      await rename(identifier)
      for (const one of [token, later]) assert.equal(await isActive(server, one), false, `${format} ${identifier}`)
    }
  }
})

test('a scope that a client or its account loses is gone from its tokens, and does not come back to them', async () => {
  for (const format of ['jwt', 'opaque']) {
    const { machine, server, account, application } = await machineSetup(admin, { token_format: format })
    const both = [application.read, application.write]
    const ofClient = (scopes: string[]) => admin.update(machine.clientId, { scopes })
    const ofAccount = (scopes: string[]) => admin.call('PUT', `/auth/admin/service-accounts/${account.id}`, { scopes })
    for (const change of [ofClient, ofAccount]) {
      const token = await tokenOf(app, machine)
      assert.equal((await introspect(server, token)).scope, both.join(' '))
      for (const scopes of [[application.read], both]) {
        await change(scopes)
        assert.equal((await introspect(server, token)).scope, application.read, `${format} ${scopes}`)
      }
      assert.equal((await introspect(server, await tokenOf(app, machine))).scope, both.join(' '))
    }
  }
})

test('the tokens of a client end with a secret that is removed, and not with one that ends', async () => {
  const { machine, server } = await machineSetup(admin)
  const path = `/auth/admin/oauth/clients/${machine.clientId}`
  const added = await admin.call('POST', `${path}/secrets`, { overlap: 0 })
  const newer = { ...machine, secret: added.json.data.client_secret }
  assert.equal((await postForm(app, '/oauth/token', { grant_type: 'client_credentials' }, basic(machine))).status, 401)
  const token = await tokenOf(app, newer)
  await admin.call('POST', `${path}/secrets`, {})
  assert.equal(await isActive(server, token), true)
  assert.equal((await admin.call('DELETE', `${path}/secrets/${added.json.data.id}`)).status, 200)
  assert.equal(await isActive(server, token), false)
  assert.equal((await postForm(app, '/oauth/token', { grant_type: 'client_credentials' }, basic(newer))).status, 401)
})

test('API keys are shown to resource servers only as far as they have permissions of the application', async () => {
  const { server, machine, application, account } = jwt
  const created = await createAccountKey(app, admin.root, account.id, { scopes: [application.read] })
  const { key, id } = created.json.data
  const seen = await introspect(server, key)
  assert.deepEqual(
    [seen.active, seen.scope, seen.token_type, seen.kind, seen.sub],
    [true, application.read, 'api_key', 'api_key', account.id],
  )
  for (const stranger of [opaque.server, machine]) assert.deepEqual(await introspect(stranger, key), { active: false })
  const personal = await createKey(app, admin.root)
  assert.deepEqual(await introspect(server, personal.key), { active: false })
  await admin.call('PUT', `/auth/admin/service-accounts/${account.id}/keys/${id}`, { ip_ranges: ['10.0.0.0/8'] })
  assert.deepEqual(await introspect(server, key), { active: false })
})

test('without a client, nothing can be asked', async () => {
  const token = await tokenOf(app, jwt.machine)
  for (const headers of [
    {},
    basic({ clientId: 'nobody', secret: 'x' }),
    basic({ ...jwt.server, secret: jwt.machine.secret }),
  ]) {
    for (const path of ['introspect', 'revoke']) {
      const { status, json } = await postForm(app, `/oauth/${path}`, { token }, headers)
      assert.deepEqual([status, json.error], [401, 'invalid_client'])
    }
  }
  const { status, json } = await postForm(app, '/oauth/introspect', { token, client_id: jwt.machine.clientId })
  assert.deepEqual([status, json.error], [401, 'invalid_client'])
  assert.equal((await postForm(app, '/oauth/introspect', {}, basic(jwt.server))).json.error, 'invalid_request')
})
