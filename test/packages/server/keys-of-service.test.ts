import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { type CredentialRule, createWardenry, type Wardenry } from '../../../packages/server/src/index.ts'
import { sessionSource } from '../../../packages/server/src/session-source.ts'
import { accountsPath, createAccount, createAccountKey, createKey, keyEnv } from '../../modules/api-keys/support.ts'
import { eventually } from '../../support/eventually.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../../support/test-app.ts'

const [readProfile, readUsers] = ['wardenry:profile:read', 'wardenry:users:read']
const proxy = '127.0.0.1'

let app: TestApp
let root: SignedIn
let wardenry: Wardenry
let keys: NonNullable<ReturnType<typeof sessionSource>['bearers']>
before(async () => {
  app = await startTestApp({ modules: ['api-keys'], env: keyEnv })
  root = await signedInAs(app, 'superadmin')
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  const internalUrl = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`
  const source = sessionSource({ internalUrl, bridgeSecret, fetch, maxSessions: 100 })
  keys = source.bearers!
  wardenry = createWardenry({ url: internalUrl, bridgeSecret, source, trustedProxies: [proxy], onError() {} })
})
after(async () => {
  wardenry.close()
  await app.stop()
})

async function outcomeOf(key: string, scopes: string[], ip = '203.0.113.7'): Promise<string> {
  const rule: CredentialRule = { kinds: ['api_key'], scopes }
  const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': ip }
  const request = { method: 'GET', headers, socket: { remoteAddress: proxy } }
  return wardenry.getSession(request, rule).then(
    ({ kind }) => kind,
    ({ code }) => code,
  )
}

const use = (scopes: string[], ip: string | undefined = '203.0.113.7') => ({ endUser: { ip, user_agent: '' }, scopes })

/** Nothing is cached in the first second of a stream. */
const untilCached = (key: string, scopes: string[]) =>
  eventually(async () => {
    assert.equal(await outcomeOf(key, scopes), 'api_key')
    return keys.peek(key, use(scopes)) !== 'ask'
  }, 15_000)

test('scopes and networks are judged at every use of a cached key', async () => {
  const ada = await registered(app)
  const { key } = await createKey(app, ada, { scopes: [readProfile], ip_ranges: ['203.0.113.0/24'] })
  await untilCached(key, [readProfile])
  const outcomes = []
  for (const scope of [readUsers, readProfile, readUsers]) outcomes.push(await outcomeOf(key, [scope]))
  for (const ip of ['203.0.113.9', '198.51.100.7', '203.0.113.9'])
    outcomes.push(await outcomeOf(key, [readProfile], ip))
  assert.deepEqual(outcomes, [
    'INSUFFICIENT_SCOPE',
    'api_key',
    'INSUFFICIENT_SCOPE',
    'api_key',
    'KEY_NETWORK',
    'api_key',
  ])
  assert.notEqual(keys.peek(key, use([readProfile])), 'ask', 'the rejections left the key in the cache')
  assert.equal(keys.peek(key, use([readUsers])), 'ask')
  assert.equal(keys.peek(key, use([readProfile], '198.51.100.7')), 'ask')
  assert.equal(keys.peek(key, use([readProfile], '')), 'ask')
})

test('a cached key of a service account that is disabled is rejected within a second', async () => {
  const account = await createAccount(app, root, [root])
  const { key } = (await createAccountKey(app, root, account.id)).json.data
  await untilCached(key, [readUsers])
  const path = `${accountsPath}/${account.id}`
  const { status, text } = await app.call('PUT', path, { body: { enabled: false }, ...withSession(root.sessionToken) })
  assert.equal(status, 200, text)
  await eventually(async () => (await outcomeOf(key, [readUsers])) === 'INVALID_CREDENTIAL', 1_000)
})

test('a cached key of an administrator who becomes a customer loses the scope within a second', async () => {
  const admin = await signedInAs(app, 'admin', 'alan')
  const { key } = await createKey(app, admin, { scopes: [readProfile, readUsers] })
  await untilCached(key, [readUsers])
  const body = { user_type: 'customer' }
  const path = `/auth/admin/users/${admin.id}`
  assert.equal((await app.call('PUT', path, { body, ...withSession(root.sessionToken) })).status, 200)
  await eventually(async () => (await outcomeOf(key, [readUsers])) === 'INSUFFICIENT_SCOPE', 1_000)
})
