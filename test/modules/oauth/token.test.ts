import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listen } from '../../http/support.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import {
  askToken,
  basic,
  type MachineSetup,
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
let setup: MachineSetup
before(async () => {
  app = await startTestApp({ modules: oauthModules, env: oauthEnv })
  admin = await oauthAdmin(app)
  setup = await machineSetup(admin, { token_format: 'opaque' })
})
after(() => app.stop())

test('a machine gets an opaque token with the scopes that it asks for', async () => {
  const { machine, application, api } = setup
  const { status, json, headers } = await askToken(app, machine, { scope: application.read, resource: api.identifier })
  assert.equal(status, 200, JSON.stringify(json))
  const { access_token, ...others } = json
  assert.match(access_token, /^wat_[0-9A-Za-z]{49}$/)
  assert.deepEqual(others, { token_type: 'Bearer', expires_in: 600, scope: application.read })
  assert.equal(headers['cache-control'], 'no-store')
})

test('without a scope and a resource, it gets all scopes at its first resource', async () => {
  const { machine, application } = setup
  const { json } = await askToken(app, machine)
  assert.equal(json.scope, `${application.read} ${application.write}`)
})

test('the secret may be in the body', async () => {
  const { machine } = setup
  const body = { grant_type: 'client_credentials', client_id: machine.clientId, client_secret: machine.secret }
  assert.equal((await postForm(app, '/oauth/token', body)).status, 200)
})

test('errors have the form of OAuth', async () => {
  const { machine, application } = setup
  const other = await machineSetup(admin)
  for (const [parameters, status, error] of [
    [{ grant_type: '' }, 400, 'invalid_request'],
    [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
    [{ scope: 'nothing:read' }, 400, 'invalid_scope'],
    [{ scope: other.application.read }, 400, 'invalid_scope'],
    [{ scope: 'wardenry:users:read' }, 400, 'invalid_scope'],
    [{ resource: 'https://nowhere.example.com' }, 400, 'invalid_target'],
    [{ resource: other.api.identifier, scope: application.read }, 400, 'invalid_target'],
  ] as const) {
    const reply = await askToken(app, machine, parameters)
    assert.deepEqual([reply.status, reply.json.error], [status, error], JSON.stringify(parameters))
    assert.deepEqual(Object.keys(reply.json), ['error', 'error_description', 'request_id'])
  }
})

test('issued tokens are counted', async () => {
  const counts = async () => {
    const { text } = await app.get('/metrics', { from: '127.0.0.1' })
    const [jwts, opaque] = ['jwt', 'opaque'].map((format) => {
      const line = `wardenry_oauth_tokens_total\\{grant="client_credentials",format="${format}"\\} (\\d+)`
      return Number(new RegExp(line).exec(text)?.[1])
    })
    return { jwts: Number(jwts), opaque: Number(opaque) }
  }
  const { api, machine } = await machineSetup(admin)
  const before = await counts()
  await tokenOf(app, machine, { resource: api.identifier })
  assert.equal((await askToken(app, { ...machine, secret: 'wrong' })).status, 401)
  const after = await counts()
  assert.deepEqual([after.jwts - before.jwts, after.opaque - before.opaque], [1, 0])
})

test('several resources and line breaks are rejected', async () => {
  const { machine, api } = setup
  const ask = (more: string) => postForm(app, '/oauth/token', `grant_type=client_credentials&${more}`, basic(machine))
  for (const [more, error] of [
    [`resource=${api.identifier}&resource=${api.identifier}`, 'invalid_target'],
    [`resource=https://api.example.com/${'x'.repeat(3_000)}`, 'invalid_target'],
    [`resource=${api.identifier}%0A`, 'invalid_target'],
    ['scope=a&scope=b', 'invalid_request'],
    ['scope=a&scope=b&resource=a&resource=b', 'invalid_request'],
    ['other=a%0Db', 'invalid_request'],
  ] as const) {
    const { status, json } = await ask(more)
    assert.deepEqual([status, json.error], [400, error], more)
  }
  const { status, json } = await postForm(app, '/oauth/introspect', 'token=a%0Ab', basic(machine))
  assert.deepEqual([status, json.error], [400, 'invalid_request'])
})

test('a header for Basic that cannot be read is not ignored', async () => {
  const { machine } = setup
  const body = { grant_type: 'client_credentials', client_id: machine.clientId, client_secret: machine.secret }
  for (const authorization of ['Basic', 'Basic !', `${basic(machine).authorization}, Bearer x`]) {
    const { status, json } = await postForm(app, '/oauth/token', body, { authorization })
    assert.deepEqual([status, json.error], [401, 'invalid_client'], authorization)
  }
})

test('every header Authorization is read, and two for Basic are rejected', async () => {
  const { machine } = setup
  const send = await listen(app)
  const body = 'grant_type=client_credentials'
  const answered = async (...values: string[]) => {
    const lines = values.map((value) => `Authorization: ${value}\r\n`).join('')
    const form = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n`
    const head = `POST /oauth/token HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${form}${lines}`
    return (await send(`${head}\r\n${body}`)).slice(9, 12)
  }
  const { authorization } = basic(machine)
  assert.equal(await answered('Bearer x', authorization), '200')
  assert.equal(await answered(authorization, authorization), '400')
})

test('the longest secret may be encoded in the header', async () => {
  const { application, api, account } = setup
  const secret = '"#$%&+,/:;<=>?@^'.repeat(16)
  const terms = { application_id: application.id, service_account_id: account.id, resources: [api.id] }
  const clientId = 'x'.repeat(64)
  await admin.client({ ...terms, type: 'machine', client_id: clientId, scopes: [application.read], secret })
  assert.equal((await askToken(app, { clientId, secret: encodeURIComponent(secret) })).status, 200)
})

test('an identifier that cannot be stored is rejected before the query, which others share', async () => {
  const ask = (text: string) => {
    const authorization = `Basic ${Buffer.from(`${text}:secret`).toString('base64')}`
    return postForm(app, '/oauth/token', { grant_type: 'client_credentials' }, { authorization })
  }
  const replies = await Promise.all(['%00', 'a\0', 'a%0Ab', 'a%0D', 'unknown'].map(ask))
  assert.deepEqual(
    replies.map(({ status, json }) => [status, json.error]),
    [...Array(4).fill([400, 'invalid_request']), [401, 'invalid_client']],
  )
})

test('a request has at most 64 parameters', async () => {
  const ask = (count: number) =>
    askToken(app, setup.machine, Object.fromEntries(Array.from({ length: count - 1 }, (_, at) => [`k${at}`, ''])))
  assert.equal((await ask(64)).status, 200)
  const { status, json } = await ask(65)
  assert.deepEqual([status, json.error], [400, 'invalid_request'])
})
