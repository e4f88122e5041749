import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour, minute } from '../../../src/lib/time.ts'
import { eventually } from '../../support/eventually.ts'
import { signedInAs, withSession } from '../../support/people.ts'
import { auditOf } from '../../support/rows.ts'
import { type Reply, startTestApp, type TestApp } from '../../support/test-app.ts'
import {
  askToken,
  basic,
  clientsPath,
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
before(async () => {
  const limits = { RATE_LIMIT_OAUTH_TOKEN: '20/1m', RATE_LIMIT_OAUTH_CLIENT_FAIL: '2/5m' }
  app = await startTestApp({ modules: oauthModules, env: { ...oauthEnv, ...limits } })
  admin = await oauthAdmin(app)
})
after(() => app.stop())

const testOf = async (clientId: string, body: object = {}) => {
  const { json, status } = await admin.call('POST', `${clientsPath}/${clientId}/test`, body)
  assert.equal(status, 200, JSON.stringify(json))
  return json.data
}
const failedStep = ({ steps }: { steps: { step: string; outcome: string; reason: string }[] }) => {
  const failed = steps.find(({ outcome }) => outcome === 'failed')
  return failed && [failed.step, failed.reason]
}
const rejectionsOf = async (clientId: string) =>
  (await admin.call('GET', `${clientsPath}/${clientId}/rejections`)).json.data.rejections as {
    reason: string
    endpoint: string
    scopes: string[]
    resource: string | null
  }[]
const reasonsOf = async (clientId: string) => (await rejectionsOf(clientId)).map(({ reason }) => reason)

test('a test issues a token, shows its claims, and revokes it', async () => {
  for (const token_format of ['jwt', 'opaque']) {
    const { machine, api, application } = await machineSetup(admin, { token_format })
    const result = await testOf(machine.clientId, { resource: api.identifier, scope: application.read })
    assert.equal(result.outcome, 'passed')
    const { aud, scope, sub, exp, iat } = result.token.claims
    assert.deepEqual([aud, scope, sub, exp - iat], [api.identifier, application.read, machine.clientId, 600])
    assert.deepEqual(
      [result.token.format, result.token.header?.typ],
      [token_format, token_format === 'jwt' ? 'at+jwt' : undefined],
    )
    assert.doesNotMatch(JSON.stringify(result), /eyJ|wat_/)
    const revoked = await app.ctx.db.selectFrom('oauth_revoked_tokens').select('token_id').execute()
    assert.equal(revoked.length, token_format === 'jwt' ? 1 : 2)
  }
  const [event] = (await auditOf(app, 'oauth_client_tested')).slice(-1)
  assert.equal(event?.details.result, 'passed')
})

test('a test can ask for the API of this service', async () => {
  const application = await admin.application()
  const scopes = ['wardenry:users:read']
  const account = await admin.account(scopes)
  const { clientId } = await admin.client({
    ...{ application_id: application.id, type: 'machine', service_account_id: account.id, scopes },
  })
  const { token } = await testOf(clientId, { resource: app.ctx.config.PUBLIC_URL })
  assert.deepEqual(
    [token.format, token.claims.aud, token.claims.scope],
    ['opaque', app.ctx.config.PUBLIC_URL, scopes[0]],
  )
})

test('a test says which step fails', async () => {
  const { machine, server, account } = await machineSetup(admin)
  assert.deepEqual(failedStep(await testOf(machine.clientId, { scope: 'x:y' })), ['token', 'invalid_scope'])
  assert.deepEqual(failedStep(await testOf(machine.clientId, { resource: 'https://no.example.com' })), [
    'token',
    'invalid_target',
  ])
  assert.deepEqual(failedStep(await testOf(server.clientId)), ['token', 'unauthorized_client'])
  const { secrets } = (await admin.call('GET', `${clientsPath}/${machine.clientId}`)).json.data
  await admin.call('DELETE', `${clientsPath}/${machine.clientId}/secrets/${secrets[0].id}`)
  assert.deepEqual(failedStep(await testOf(machine.clientId)), ['secret', 'no_secret'])
  await admin.call('PUT', `/auth/admin/service-accounts/${account.id}`, { enabled: false })
  assert.deepEqual(failedStep(await testOf(machine.clientId)), ['client', 'not_live'])
})

test('a test counts against the limit of the client', async () => {
  const { machine } = await machineSetup(admin)
  for (let count = 0; count < 20; count += 1) await tokenOf(app, machine)
  assert.deepEqual(failedStep(await testOf(machine.clientId)), ['token', 'rate_limited'])
})

test('responses show how many requests the client has left, or how many failures the address', async () => {
  const { machine, server } = await machineSetup(admin)
  const shown = ({ headers }: Reply) => [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']].map(Number)
  for (const left of [19, 18]) assert.deepEqual(shown(await askToken(app, machine)), [20, left])
  const refused = await askToken(app, machine, { scope: 'nothing:here' })
  assert.deepEqual([refused.status, ...shown(refused)], [400, 20, 17])
  for (let count = 0; count < 17; count += 1) await tokenOf(app, machine)
  const last = await askToken(app, machine)
  assert.deepEqual([last.status, ...shown(last), last.json.error], [429, 20, 0, 'temporarily_unavailable'])
  assert.equal(Number(last.headers['x-ratelimit-reset']) - Math.floor(app.clock.now() / 1000), 60)
  assert.equal(last.headers['retry-after'], '60')
  const introspected = (path: string) => postForm(app, `/oauth/${path}`, { token: 'x' }, basic(server))
  const [most = 0, left = 0] = shown(await introspected('introspect'))
  assert.deepEqual([left, shown(await introspected('revoke'))], [most - 1, [most, most - 2]])
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const headers = { ...form, ...basic({ ...machine, secret: 'wrong' }) }
  for (const [status, ...rest] of [
    [401, 2, 1],
    [401, 2, 0],
    [429, 2, 0],
  ]) {
    const reply = await app.call('POST', '/oauth/token', { body: '', from: '198.51.100.7', headers })
    assert.deepEqual([reply.status, ...shown(reply)], [status, ...rest])
  }
})

test('a test needs the permission and a recent authentication', async () => {
  const { machine } = await machineSetup(admin)
  const path = `${clientsPath}/${machine.clientId}/test`
  const other = await signedInAs(app, 'admin')
  assert.equal((await app.post(path, {}, withSession(other.sessionToken))).status, 403)
  const late = await signedInAs(app, 'superadmin')
  app.clock.advance(13 * hour)
  const asked = await app.post(path, {}, withSession(late.sessionToken))
  assert.deepEqual([asked.status, asked.json.code], [403, 'REAUTH_REQUIRED'])
  admin = await oauthAdmin(app)
  assert.equal((await admin.call('POST', `${clientsPath}/nobody/test`, {})).json.code, 'OAUTH_CLIENT_NOT_FOUND')
})

test('rejected requests are recorded with their reasons, once a minute', async () => {
  const { machine, server, api } = await machineSetup(admin)
  const other = await machineSetup(admin)
  const asked = { scope: 'x:y wcs_ByMistake', resource: `${api.identifier}?token=secret` }
  for (let count = 0; count < 3; count += 1) await askToken(app, machine, asked)
  await postForm(app, '/oauth/token', { grant_type: 'password' }, basic(machine))
  await postForm(app, '/oauth/token', { grant_type: '' }, basic(machine))
  assert.deepEqual(await reasonsOf(machine.clientId), ['invalid_request', 'unsupported_grant_type', 'invalid_target'])
  const [first] = (await rejectionsOf(machine.clientId)).slice(-1)
  assert.deepEqual([first?.endpoint, first?.scopes, first?.resource], ['/oauth/token', ['x:y'], `${api.identifier}/`])
  await askToken(app, { ...server })
  const foreign = await tokenOf(app, other.machine)
  await postForm(app, '/oauth/introspect', { token: foreign }, basic(server))
  await postForm(app, '/oauth/introspect', { token: 'wat_nothing' }, basic(server))
  await eventually(async () => (await reasonsOf(server.clientId)).join() === 'foreign_token,unauthorized_client')
  app.clock.advance(25 * hour)
  admin = await oauthAdmin(app)
  assert.deepEqual(await reasonsOf(server.clientId), [])
})

test('what may be a secret in a resource is not recorded, wherever it is', async () => {
  const { machine } = await machineSetup(admin)
  const brought = 'brought-secret-of-24-chars'
  for (const resource of [
    `https://api.example.com/v1/${brought}`,
    `https://${machine.secret}.example.com/`,
    `urn:example:${brought}`,
  ]) {
    app.clock.advance(2 * minute)
    await askToken(app, machine, { resource })
  }
  const recorded = JSON.stringify(await rejectionsOf(machine.clientId)).toLowerCase()
  assert.ok(recorded.includes('https://api.example.com/v1/…'), recorded)
  for (const secret of [brought, machine.secret.toLowerCase()]) assert.ok(!recorded.includes(secret), recorded)
})

test('failed authentications of a client are listed, those of unknown clients are not', async () => {
  const { machine } = await machineSetup(admin)
  await askToken(app, { ...machine, secret: 'wrong' })
  await admin.update(machine.clientId, { enabled: false })
  await askToken(app, machine)
  await eventually(async () => (await reasonsOf(machine.clientId)).join() === 'not_live,secret')
  assert.equal((await admin.call('GET', `${clientsPath}/nobody/rejections`)).json.code, 'OAUTH_CLIENT_NOT_FOUND')
})
