import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { day, iso, minute } from '../../../src/lib/time.ts'
import { mailWith } from '../../email-addresses/change-support.ts'
import { apiDocument } from '../../support/api-document.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../../support/people.ts'
import { auditOf } from '../../support/rows.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { accountsPath, createAccount, createAccountKey, createKey, input, keyEnv, limitedAdmin } from './support.ts'

let app: TestApp
let root: SignedIn
before(async () => {
  app = await startTestApp({ modules: ['api-keys'], env: keyEnv })
  root = await signedInAs(app, 'superadmin')
})
after(() => app.stop())

const call = (by: SignedIn, method: string, url: string, body?: unknown) =>
  app.call(method, url, { body, ...withSession(by.sessionToken) })

const readMessages = 'wardenry:messages:read'

test('a superadmin creates a service account with a key, whose owners are mailed', async () => {
  const owner = await registered(app)
  const account = await createAccount(app, root, [owner], { description: 'Deploys' })
  const { status, json } = await createAccountKey(app, root, account.id)
  assert.equal(status, 200, JSON.stringify(json))
  assert.match(json.data.key, /^wks_[0-9A-Za-z]{49}$/)
  assert.match(await mailWith(app, owner.email, 'API key was created'), new RegExp(`/service-accounts/${account.id}`))
  const listed = await call(root, 'GET', accountsPath)
  const found = listed.json.data.service_accounts.find(({ id }: { id: string }) => id === account.id)
  assert.deepEqual([found.keys, found.owners[0].email, found.description], [1, owner.email, 'Deploys'])
  assert.ok(listed.json.data.scopes.includes(readMessages))
  assert.ok(!listed.json.data.scopes.includes('wardenry:roles:manage'))
  assert.ok(!listed.json.data.scopes.includes('wardenry:profile:read'))
  const keys = await call(root, 'GET', `${accountsPath}/${account.id}/keys`)
  assert.deepEqual([keys.json.data.keys[0].kind, keys.json.data.keys[0].id], ['service', json.data.id])
})

test('every scope that a key can have is that of a route, and the other way round', async () => {
  const { paths } = await apiDocument(app)
  const routes = Object.values<Record<string, { 'x-scope'?: string }>>(paths).flatMap((one) => Object.values(one))
  const declared = new Set(routes.flatMap((route) => route['x-scope'] ?? []))
  const { scopes } = (await call(root, 'GET', accountsPath)).json.data
  const own = ['any', 'wardenry:profile:read', 'wardenry:profile:write']
  assert.deepEqual([...declared].toSorted(), [...own, ...scopes].toSorted())
})

test('an unknown member is rejected by its name', async () => {
  const account = await createAccount(app, root, [await registered(app)])
  const { id } = (await createAccountKey(app, root, account.id)).json.data
  const keys = `${accountsPath}/${account.id}/keys`
  const ada = await registered(app)
  for (const [method, url, body, name] of [
    ['PUT', `${accountsPath}/${account.id}`, { disabled: true }, 'disabled'],
    ['PUT', `${keys}/${id}`, { ip_range: ['10.0.0.0/8'] }, 'ip_range'],
    ['POST', `${keys}/${id}/rotate`, { overlap: null }, 'overlap'],
    ['DELETE', `/auth/admin/users/${ada.id}/keys`, { keys: [id] }, 'keys'],
  ] as const) {
    const { status, json } = await call(root, method, url, body)
    assert.deepEqual([status, json.details?.[0].field], [400, name])
  }
})

test('an account has one to three owners who exist', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => registered(app)))
  const ids = people.map(({ id }) => id)
  for (const owners of [[], ids, ['0'.repeat(36)], ['019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90']]) {
    const body = { name: 'x', owners, scopes: ['wardenry:users:read'] }
    assert.equal((await call(root, 'POST', accountsPath, body)).status, 400, JSON.stringify(owners))
  }
  await createAccount(app, root, people.slice(0, 3))
})

test('a limited administrator gives no scopes above their own permissions', async () => {
  const limited = await limitedAdmin(app, 'users:read', 'keys:manage', 'service_accounts:read', 'settings:write')
  const [owner, above] = [await registered(app), ['wardenry:users:read', readMessages]]
  const mine = await createAccount(app, limited, [owner])
  const other = await createAccount(app, root, [owner], { scopes: above })
  const reading = await createAccountKey(app, root, other.id)
  const stronger = await createAccountKey(app, root, other.id, { scopes: above })
  const keyPath = (id: string) => `${accountsPath}/${other.id}/keys/${id}`
  for (const [method, url, body] of [
    ['POST', accountsPath, { name: 'x', owners: [owner.id], scopes: above }],
    ['POST', accountsPath, { name: 'x', owners: [owner.id], scopes: ['wardenry:settings:write'] }],
    ['PUT', `${accountsPath}/${mine.id}`, { scopes: above }],
    ['PUT', `${accountsPath}/${other.id}`, { name: 'renamed' }],
    ['PUT', `${accountsPath}/${other.id}`, { owners: [limited.id] }],
    ['POST', `${accountsPath}/${mine.id}/keys`, input(app, { scopes: above })],
    ['POST', `${accountsPath}/${other.id}/keys`, input(app, { scopes: above })],
    ['PUT', keyPath(reading.json.data.id), { scopes: above }],
    ['PUT', keyPath(stronger.json.data.id), { ends_at: iso(app.clock.now() + 60 * day) }],
    ['POST', `${keyPath(stronger.json.data.id)}/rotate`, {}],
  ] as const) {
    const { status, json } = await call(limited, method, url, body)
    assert.deepEqual([status, json.code], [403, 'KEY_SCOPE_NOT_ALLOWED'], `${method} ${url} ${JSON.stringify(body)}`)
  }
  const denied = (await auditOf(app, 'authz_denied')).filter(({ actor_id }) => actor_id === limited.id)
  assert.equal(denied.length, 10)
  const scopes = ['wardenry:users:read']
  assert.equal((await createAccountKey(app, limited, mine.id, { scopes })).status, 200)
  assert.equal((await call(limited, 'DELETE', keyPath(stronger.json.data.id))).status, 200)
  assert.equal((await call(limited, 'PUT', `${accountsPath}/${other.id}`, { enabled: false })).status, 200)
  const enable = await call(limited, 'PUT', `${accountsPath}/${other.id}`, { enabled: true })
  assert.equal(enable.json.code, 'KEY_SCOPE_NOT_ALLOWED')
})

test('a key has only scopes of its account', async () => {
  const account = await createAccount(app, root, [root])
  const { status, json } = await createAccountKey(app, root, account.id, { scopes: [readMessages] })
  assert.deepEqual([status, json.code], [403, 'KEY_SCOPE_NOT_ALLOWED'])
})

test('changes require the permission and a recent authentication', async () => {
  const [admin, support] = [await signedInAs(app, 'admin'), await signedInAs(app, 'support')]
  const account = await createAccount(app, root, [root])
  const one = `${accountsPath}/${account.id}`
  assert.equal((await call(admin, 'GET', one)).status, 200)
  assert.equal((await call(support, 'GET', one)).status, 403)
  const changes = [
    ['POST', accountsPath, { name: 'x', owners: [root.id], scopes: ['wardenry:users:read'] }],
    ['PUT', one, { name: 'x' }],
    ['DELETE', one, undefined],
    ['POST', `${one}/keys`, input(app, { scopes: ['wardenry:users:read'] })],
  ] as const
  for (const [method, url, body] of changes)
    assert.deepEqual((await call(admin, method, url, body)).json.code, 'FORBIDDEN', `${method} ${url}`)
  const late = await signedInAs(app, 'superadmin')
  app.clock.advance(app.ctx.config.REAUTH_WINDOW + minute)
  for (const [method, url, body] of changes)
    assert.deepEqual((await call(late, method, url, body)).json.code, 'REAUTH_REQUIRED', `${method} ${url}`)
  root = await signedInAs(app, 'superadmin')
})

test('everything that changes what the keys of an account may do raises its epoch', async () => {
  const [one, two] = [await registered(app), await registered(app)]
  const { id } = await createAccount(app, root, [one])
  const epoch = async () => {
    const { rows } = await sql<{ epoch: number; recorded: number | null }>`SELECT epoch::int, (SELECT max(epoch)::int
      FROM session_revocations WHERE user_id = ${id}) AS recorded FROM service_accounts WHERE id = ${id}`.execute(
      app.ctx.db,
    )
    assert.equal(rows[0]?.epoch, rows[0]?.recorded)
    return rows[0]?.epoch ?? 0
  }
  let last = await epoch()
  for (const body of [
    { owners: [two.id] },
    { scopes: [readMessages] },
    { ends_at: iso(app.clock.now() + day) },
    { enabled: false },
    { enabled: true },
  ]) {
    assert.equal((await call(root, 'PUT', `${accountsPath}/${id}`, body)).status, 200, JSON.stringify(body))
    const now = await epoch()
    assert.ok(now > last, JSON.stringify(body))
    last = now
  }
  assert.equal((await call(root, 'PUT', `${accountsPath}/${id}`, { name: 'renamed' })).status, 200)
  assert.equal(await epoch(), last)
  assert.equal((await call(root, 'DELETE', `${accountsPath}/${id}`)).status, 200)
  assert.ok((await epoch()) > last)
})

test('deleting an account ends its keys and hides it', async () => {
  const account = await createAccount(app, root, [root])
  const { json } = await createAccountKey(app, root, account.id)
  assert.equal((await call(root, 'DELETE', `${accountsPath}/${account.id}`)).status, 200)
  assert.equal((await call(root, 'GET', `${accountsPath}/${account.id}`)).status, 404)
  const { rows } = await sql<{ reason: string }>`SELECT end_reason AS reason FROM api_keys
    WHERE id = ${json.data.id} AND ended_at IS NOT NULL`.execute(app.ctx.db)
  assert.deepEqual(rows, [{ reason: 'service_account_deleted' }])
})

test('an account whose last owner is deleted is disabled, and stays so when the owner is restored', async () => {
  const [one, two] = [await registered(app), await registered(app)]
  const { id } = await createAccount(app, root, [one, two])
  const enabled = async () => (await call(root, 'GET', `${accountsPath}/${id}`)).json.data.enabled
  assert.equal((await call(root, 'DELETE', `/auth/admin/users/${one.id}`)).status, 200)
  assert.equal(await enabled(), true)
  assert.equal((await call(root, 'DELETE', `/auth/admin/users/${two.id}`)).status, 200)
  assert.equal(await enabled(), false)
  assert.equal((await call(root, 'POST', `/auth/admin/users/${two.id}/restore`, {})).status, 200)
  assert.equal(await enabled(), false)
  const disabled = (await auditOf(app, 'service_account_disabled')).filter(
    ({ details }) => details.service_account === id,
  )
  assert.deepEqual(
    disabled.map(({ details }) => details.reason),
    ['no_owner'],
  )
})

test('the keys of a user are listed and revoked by administrators', async () => {
  const ada = await registered(app)
  const keys = [await createKey(app, ada), await createKey(app, ada), await createKey(app, ada)]
  const url = `/auth/admin/users/${ada.id}/keys`
  const reader = await limitedAdmin(app, 'users:read', 'service_accounts:read')
  const listed = await call(reader, 'GET', url)
  assert.equal(listed.json.data.keys.length, 3)
  assert.ok(keys.every(({ key }) => !listed.text.includes(key)))
  assert.equal((await call(reader, 'DELETE', url, {})).json.code, 'FORBIDDEN')
  assert.equal((await call(root, 'DELETE', url, { key_ids: [keys[0]?.id] })).json.revoked, 1)
  assert.equal((await call(root, 'DELETE', url, {})).json.revoked, 2)
  assert.equal((await call(root, 'DELETE', url, {})).json.revoked, 0)
})

test('the addresses of staff are shown only to users who have at least their permissions', async () => {
  await createKey(app, root)
  await sql`UPDATE api_keys SET last_used_ip = '192.0.2.9' WHERE user_id = ${root.id}`.execute(app.ctx.db)
  const reader = await limitedAdmin(app, 'users:read', 'service_accounts:read')
  const addressFor = async (by: SignedIn) =>
    (await call(by, 'GET', `/auth/admin/users/${root.id}/keys`)).json.data.keys[0].last_used_ip
  assert.deepEqual([await addressFor(reader), await addressFor(root)], [null, '192.0.2.9'])
})
