import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { routesOf } from '../../src/http/server/create-server.ts'
import { newKey } from '../../src/modules/api-keys/key-text.ts'
import { createAccount, createAccountKey, createKey, keyEnv } from '../modules/api-keys/support.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

const [readProfile, readUsers, readAudit] = ['wardenry:profile:read', 'wardenry:users:read', 'wardenry:audit:read']

let app: TestApp
let root: SignedIn
let ada: SignedIn
let personal: string
let service: string
before(async () => {
  app = await startTestApp({
    modules: ['onboarding', 'privacy', 'two-factor', 'blog', 'post-types', 'api-keys'],
    env: {
      ...keyEnv,
      BLOG_ENABLED: 'true',
      POST_TYPES_ENABLED: 'true',
      RATE_LIMIT_EXPORT: '10000/1h',
      RATE_LIMIT_BULK: '10000/1h',
    },
  })
  root = await signedInAs(app, 'superadmin')
  ada = await registered(app)
  personal = (await createKey(app, root, { scopes: [readProfile, readUsers] })).key
  const account = await createAccount(app, root, [root], { scopes: [readUsers, readAudit] })
  service = (await createAccountKey(app, root, account.id, { scopes: [readUsers, readAudit] })).json.data.key
})
after(() => app.stop())

const withKey = (key: string, more: Record<string, string> = {}) => ({
  headers: { authorization: `Bearer ${key}`, ...more },
})
const get = async (url: string, key: string, more: Record<string, string> = {}) => {
  const { status, json } = await app.get(url, withKey(key, more))
  return json?.code ? `${status} ${json.code}` : String(status)
}

test('keys reach only routes that declare a scope, and are rejected everywhere else before anything is read', async () => {
  const wrong: string[] = []
  const declared: string[] = []
  for (const { url, method, rule } of routesOf(app.http)) {
    if (rule.access.session === 'none' || method === 'HEAD') continue
    if (rule.access.scope !== undefined) {
      declared.push(`${method} ${url}`)
      continue
    }
    const query = rule.access.onlyToLink ? '?link=true' : ''
    const path = url.replace(':provider', 'google').replaceAll(/:\w+/g, root.id).replace('*', '') + query
    const secret = rule.access.bridge === 'required' ? { 'x-bridge-secret': bridgeSecret } : {}
    const upload = rule.upload === '' ? {} : { 'content-type': 'multipart/form-data; boundary=x' }
    for (const key of [personal, newKey('personal')]) {
      const { status, json } = await app.call(method, path, {
        ...withKey(key, { ...secret, ...upload }),
        body: {},
      })
      if (status !== 403 || (json && json.code !== 'KEY_NOT_ACCEPTED'))
        wrong.push(`${method} ${url}: ${status} ${json?.code}`)
    }
  }
  assert.deepEqual(wrong, [])
  assert.deepEqual(
    declared.filter((route) => !route.startsWith('GET ')).toSorted(),
    ['/auth/profile', '/auth/user/me'].flatMap((path) => [`PATCH ${path}`, `PUT ${path}`]).toSorted(),
    'otherwise, keys only read',
  )
  assert.ok(declared.length > 20)
})

test('a key with every scope gets a response from every route that declares one, and no error of the service', async () => {
  const all = app.ctx.staff.permissionsOf().map((permission) => `wardenry:${permission}`)
  const routes = routesOf(app.http).filter(({ method, rule }) => method === 'GET' && rule.access.scope !== undefined)
  const { key } = await createKey(app, root, {
    scopes: [...new Set(routes.map(({ rule }) => String(rule.access.scope)))].filter((scope) => scope !== 'any'),
  })
  const account = await createAccount(app, root, [root], {
    scopes: all.filter((scope) => routes.some(({ rule }) => rule.access.scope === scope)),
  })
  const ofService = await createAccountKey(app, root, account.id, {
    scopes: all.filter((scope) => routes.some(({ rule }) => rule.access.scope === scope)),
  })
  const failed: string[] = []
  for (const { url, rule } of routes) {
    const path = url.replace(':user_id', ada.id).replaceAll(/:\w+/g, 'unknown')
    for (const one of [key, ofService.json.data.key]) {
      const outcome = await get(path, one)
      const isProfileOfNobody = one !== key && rule.access.scope === readProfile
      if (!/^(200|400|404)/.test(outcome) && !(isProfileOfNobody && outcome === '403 INSUFFICIENT_SCOPE'))
        failed.push(`${url}: ${outcome}`)
    }
  }
  assert.deepEqual(failed, [])
})

test('a key with both scopes changes the profile of its user, but nothing with which users sign in', async () => {
  const write = 'wardenry:profile:write'
  const put = async (key: string, body: object) => {
    const { status, json } = await app.call('PUT', '/auth/profile', { ...withKey(key), body })
    return json.success ? json.user : `${status} ${json.code}`
  }
  const { key, id } = await createKey(app, ada, { scopes: [readProfile, write] })
  assert.equal((await put(key, { display_name: 'Countess' })).display_name, 'Countess')
  const [changed] = (await auditOf(app, 'profile_updated')).slice(-1)
  assert.deepEqual([changed?.actor_id, changed?.details.credential], [ada.id, id])
  const before = (await app.get('/auth/profile', withKey(key))).json
  for (const member of [
    ...[{ email: 'eve@example.com' }, { email: ada.email }, { email: '' }, { phone: '+447700900123' }],
    ...[{ user_name: 'eve' }, { current_password: 'x' }],
  ])
    assert.equal(await put(key, { display_name: 'Eve', ...member }), '403 KEY_NOT_ACCEPTED', JSON.stringify(member))
  assert.deepEqual((await app.get('/auth/profile', withKey(key))).json, before)
  assert.equal(await put((await createKey(app, ada, { scopes: [readProfile] })).key, {}), '403 INSUFFICIENT_SCOPE')
  assert.equal(await put((await createKey(app, ada, { scopes: [write] })).key, {}), '403 INSUFFICIENT_SCOPE')
  assert.equal(await put(service, {}), '403 INSUFFICIENT_SCOPE')
  await app.call('DELETE', `/auth/keys/${id}`, withSession(ada.sessionToken))
  assert.equal(await put(key, { display_name: 'Late' }), '401 INVALID_CREDENTIAL')
})

test('a key without the scope is rejected, and the rejection is recorded with its user or account', async () => {
  assert.equal(await get('/auth/admin/audit', personal), '403 INSUFFICIENT_SCOPE')
  assert.equal(await get('/auth/profile', service), '403 INSUFFICIENT_SCOPE')
  const { status, json } = await app.get('/auth/admin/audit', withKey(personal))
  assert.deepEqual([status, json.required], [403, [readAudit]])
  const denied = (await auditOf(app, 'authz_denied')).filter(({ details }) => details.required === readAudit)
  assert.deepEqual([...new Set(denied.map(({ actor_id }) => actor_id))], [root.id])
})

test('a key of any scope may ask about itself, and a session may not', async () => {
  const { json } = await app.get('/auth/keys/current', withKey(service))
  assert.deepEqual([json.data.name, json.data.scopes], ['deploy', [readAudit, readUsers]])
  assert.equal((await app.get('/auth/keys/current', withSession(ada.sessionToken))).json.code, 'INVALID_CREDENTIAL')
  assert.equal(await get('/auth/keys/current', newKey('personal')), '401 INVALID_CREDENTIAL')
})

test('the profile of a key is that of its user', async () => {
  const { status, json } = await app.get('/auth/profile', withKey(personal))
  assert.deepEqual([status, json.data.user.id], [200, root.id])
})

test('a key of a superadmin shows no more than users without a role see', async () => {
  const admin = await signedInAs(app, 'admin')
  const { json: bySession } = await app.get(`/auth/admin/users/${admin.id}`, withSession(root.sessionToken))
  const { json: byKey } = await app.get(`/auth/admin/users/${admin.id}`, withKey(personal))
  assert.ok(bySession.data.sessions.length > 0)
  assert.deepEqual(byKey.data.sessions, [])
})

test('a key decides even if it is rejected and a cookie or session is valid', async () => {
  const cookie = `session_id=${root.sessionToken}`
  assert.equal(await get('/auth/profile', newKey('personal'), { cookie }), '401 INVALID_CREDENTIAL')
  const mine = await createKey(app, ada)
  const { json } = await app.get('/auth/profile', withKey(mine.key, { cookie }))
  assert.equal(json.data.user.id, ada.id)
  assert.equal(await get('/auth/profile', mine.key, { 'x-session-id': ada.sessionToken }), '401 INVALID_CREDENTIAL')
})

test('a value of another form in Authorization is ignored', async () => {
  const cookie = `session_id=${root.sessionToken}`
  for (const other of [
    'abc',
    'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJvdGhlciJ9.c2ln',
    personal.slice(0, -1),
    'ghp_0123456789',
  ]) {
    assert.equal(await get('/auth/profile', other, { cookie }), '200', other)
    assert.equal(await get('/auth/profile', other), '401 INVALID_SESSION', other)
  }
})

test('a key of an administrator whose role changes loses the scope with the next request', async () => {
  const admin = await signedInAs(app, 'admin', 'alan')
  const { key } = await createKey(app, admin, { scopes: [readUsers] })
  assert.equal(await get('/auth/users', key), '200')
  await app.call('PUT', `/auth/admin/users/${admin.id}`, {
    body: { user_type: 'customer' },
    ...withSession(root.sessionToken),
  })
  assert.equal(await get('/auth/users', key), '403 INSUFFICIENT_SCOPE')
})

test('a key with networks is accepted only from them', async () => {
  const { key } = await createKey(app, ada, { ip_ranges: ['203.0.113.0/24'] })
  assert.equal((await app.get('/auth/profile', { ...withKey(key), from: '203.0.113.8' })).status, 200)
  assert.equal((await app.get('/auth/profile', { ...withKey(key), from: '198.51.100.8' })).json.code, 'KEY_NETWORK')
})

test('a staff route reads the key again, although it is cached', async () => {
  const { key, id } = await createKey(app, root, { scopes: [readUsers] })
  assert.equal(await get('/auth/users', key), '200')
  await sql`UPDATE api_keys SET ended_at = now() WHERE id = ${id}`.execute(app.ctx.db)
  assert.equal(await get('/auth/users', key), '401 INVALID_CREDENTIAL')
})
