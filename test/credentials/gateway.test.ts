import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newKey } from '../../src/modules/api-keys/key-text.ts'
import { secretsOf, superadminOf } from '../applications/support.ts'
import { createAccount, createAccountKey, createKey, keyEnv } from '../modules/api-keys/support.ts'
import { registered, type SignedIn, signedInAs } from '../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

const [readProfile, readUsers] = ['wardenry:profile:read', 'wardenry:users:read']

let app: TestApp
let ada: SignedIn
let mine: { id: string; key: string }
let service: string
let accountId: string
before(async () => {
  app = await startTestApp({ modules: ['api-keys'], env: { ...keyEnv, TRUSTED_PROXIES: '127.0.0.1/32' } })
  ada = await registered(app)
  mine = await createKey(app, ada)
  const root = await signedInAs(app, 'superadmin')
  accountId = (await createAccount(app, root, [root])).id
  service = (await createAccountKey(app, root, accountId)).json.data.key
})
after(() => app.stop())

const verify = (query: Record<string, string>, headers: Record<string, string>, path = '/auth/verify') =>
  app.get(path, { query, headers: { 'x-bridge-secret': bridgeSecret, ...headers }, from: '127.0.0.1' })
const outcome = async (...request: Parameters<typeof verify>) => {
  const { status, json } = await verify(...request)
  return json?.code ? `${status} ${json.code}` : String(status)
}
const bearer = (text: string, more: Record<string, string> = {}) => ({ authorization: `Bearer ${text}`, ...more })
const cookie = () => ({ cookie: `session_id=${ada.sessionToken}` })
const accept = 'session,api_key'

test('without accept, a key is ignored and a response is as before', async () => {
  assert.equal(await outcome({}, bearer(mine.key)), '401 INVALID_SESSION')
  const { status, headers } = await verify({}, bearer(mine.key, cookie()))
  assert.deepEqual([status, headers['x-auth-user-id']], [200, ada.id])
  for (const name of ['x-auth-kind', 'x-auth-scopes', 'x-auth-key-id']) assert.equal(headers[name], undefined, name)
})

test('an accepted key is described in headers, and a session names its kind', async () => {
  const { headers } = await verify({ accept }, bearer(mine.key))
  assert.deepEqual(
    ['user-id', 'kind', 'scopes', 'key-id', 'session-id', 'time', 'methods'].map((name) => headers[`x-auth-${name}`]),
    [ada.id, 'api_key', readProfile, mine.id, undefined, undefined, undefined],
  )
  const ofService = (await verify({ accept }, bearer(service))).headers
  assert.deepEqual(
    ['user-id', 'kind', 'scopes', 'service-account-id'].map((name) => ofService[`x-auth-${name}`]),
    [undefined, 'api_key', readUsers, accountId],
  )
  assert.equal((await verify({ accept }, cookie())).headers['x-auth-kind'], 'session')
})

test('a key decides even if it is rejected and the cookie is valid', async () => {
  assert.equal(await outcome({ accept }, bearer(newKey('personal'), cookie())), '401 INVALID_CREDENTIAL')
  assert.equal((await verify({ accept }, bearer(service, cookie()))).headers['x-auth-user-id'], undefined)
  const two = bearer(mine.key, { 'x-session-id': ada.sessionToken })
  assert.equal(await outcome({ accept }, two), '401 INVALID_CREDENTIAL')
})

test('a kind that is not accepted is ignored', async () => {
  assert.equal(await outcome({ accept: 'session' }, bearer(mine.key, cookie())), '200')
  assert.equal(await outcome({ accept: 'api_key' }, cookie()), '401 INVALID_SESSION')
  const token = { accept: 'token', resource: 'https://a.example' }
  assert.equal(await outcome(token, bearer(mine.key)), '401 INVALID_SESSION')
  assert.equal(await outcome({ accept: 'key' }, bearer(mine.key)), '400 VALIDATION_ERROR')
})

test('a scope is demanded of keys, and the right of sessions', async () => {
  assert.equal(await outcome({ accept, scope: readProfile }, bearer(mine.key)), '200')
  assert.equal(
    await outcome({ accept, scope: `${readProfile} ${readUsers}` }, bearer(mine.key)),
    '403 INSUFFICIENT_SCOPE',
  )
  assert.equal(await outcome({ accept, scope: readProfile }, cookie()), '200')
  assert.equal(await outcome({ accept, scope: readUsers }, cookie()), '403 INSUFFICIENT_SCOPE')
  assert.equal(await outcome({ accept, permission: 'invoices:read' }, bearer(mine.key)), '403 INSUFFICIENT_SCOPE')
  assert.equal(await outcome({ scope: readProfile }, cookie()), '400 VALIDATION_ERROR')
})

test('a visitor cannot make a gateway accept a key', async () => {
  for (const path of ['/auth/verify/for/page', '/auth/verify/for/'])
    assert.equal(
      await outcome({ accept: 'api_key', scope: readProfile }, bearer(mine.key), path),
      '401 INVALID_SESSION',
    )
  assert.equal(
    await outcome({}, bearer(mine.key, { 'x-auth-kind': 'api_key', 'x-auth-accept': 'api_key' })),
    '401 INVALID_SESSION',
  )
})

test('a key with networks is judged by the address of the visitor, which a trusted gateway sends', async () => {
  const { key } = await createKey(app, ada, { ip_ranges: ['203.0.113.0/24'] })
  assert.equal(await outcome({ accept }, bearer(key)), '403 KEY_NETWORK')
  assert.equal(await outcome({ accept }, bearer(key, { 'x-forwarded-for': '203.0.113.7' })), '200')
  assert.equal(await outcome({ accept }, bearer(key, { 'x-forwarded-for': '198.51.100.7' })), '403 KEY_NETWORK')
})

test('a rejected key is no reason to redirect to the sign-in page', async () => {
  const navigation = { 'sec-fetch-mode': 'navigate', 'x-original-url': 'https://app.example/' }
  const { status, headers } = await verify({ accept, redirect: 'true' }, bearer(newKey('personal'), navigation))
  assert.deepEqual([status, headers.location], [401, undefined])
  assert.match(String(headers['www-authenticate']), /invalid_token/)
})

test("an application says what is accepted at the paths whose query is the visitor's", async () => {
  const superadmin = await superadminOf(app)
  const shop = await secretsOf(superadmin, 'shop')
  const { secret } = await shop.create()
  const asShop = (headers: Record<string, string>, query: Record<string, string> = {}) =>
    outcome(query, { ...headers, 'x-bridge-secret': secret }, '/auth/verify/for/page')
  const change = async (members: object) => {
    const { status, text } = await superadmin.call('PUT', `/${shop.id}`, members)
    assert.equal(status, 200, text)
  }
  assert.equal(await asShop(bearer(mine.key), { accept: 'api_key' }), '401 INVALID_SESSION')
  await change({ gateway_accept: ['api_key', 'session'], gateway_scope: [readProfile] })
  assert.equal(await asShop(bearer(mine.key)), '200')
  assert.equal(await asShop(cookie()), '200')
  await change({ gateway_scope: [readUsers] })
  assert.equal(await asShop(bearer(mine.key), { scope: readProfile }), '403 INSUFFICIENT_SCOPE')
  assert.equal(await asShop(cookie()), '403 INSUFFICIENT_SCOPE')
  await change({ gateway_accept: [] })
  assert.equal(await asShop(bearer(mine.key, cookie())), '403 INSUFFICIENT_SCOPE')
  await change({ gateway_scope: [], gateway_permission: 'invoices:read' })
  assert.equal(await asShop(cookie()), '403 FORBIDDEN')
  await change({ gateway_permission: null })
  assert.equal(await asShop(cookie()), '200')
  const wrong = [{ gateway_accept: ['keys'] }, { gateway_scope: ['*'] }, { gateway_permission: 'all' }]
  for (const members of wrong) assert.equal((await superadmin.call('PUT', `/${shop.id}`, members)).status, 400)
})

test('a misspelt demand of a gateway is rejected, because it would demand nothing', async () => {
  const misspelt: Record<string, string>[] = [{ scopes: readUsers }, { permision: readUsers }, { Scope: readUsers }]
  for (const query of misspelt) {
    assert.equal(await outcome({ accept, ...query }, bearer(mine.key)), '400 VALIDATION_ERROR')
    assert.equal(await outcome(query, cookie()), '400 VALIDATION_ERROR')
  }
})

test('an OPTIONS request gets the checks of other requests, also of its query', async () => {
  const headers = { 'x-bridge-secret': bridgeSecret, authorization: `Bearer ${mine.key}` }
  for (const query of [
    'accept=api_key&accept=session',
    'accept=api_key&scope=a&scope=b',
    'accept=api_key&permision=a:b',
  ]) {
    const { status, json } = await app.call('OPTIONS', `/auth/verify?${query}`, { headers })
    assert.deepEqual([status, json?.code], [400, 'VALIDATION_ERROR'], query)
  }
  assert.equal((await app.call('OPTIONS', '/auth/verify?accept=api_key', { headers })).status, 200)
})
