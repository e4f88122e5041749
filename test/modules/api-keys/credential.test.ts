import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { CredentialView } from '../../../src/context.ts'
import { day, iso, minute } from '../../../src/lib/time.ts'
import { useWriterOf } from '../../../src/modules/api-keys/use-writer.ts'
import { mailsWith, mailWith } from '../../email-addresses/change-support.ts'
import { eventually } from '../../support/eventually.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../../support/people.ts'
import { auditOf } from '../../support/rows.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { accountsPath, createAccount, createAccountKey, createKey, keyEnv, keysOf, path, read } from './support.ts'

const users = 'wardenry:users:read'

let app: TestApp
let root: SignedIn
before(async () => {
  app = await startTestApp({
    modules: ['api-keys', 'two-factor'],
    env: { ...keyEnv, TWO_FACTOR_REQUIRED_FOR: 'writer' },
  })
  root = await signedInAs(app, 'superadmin')
})
after(() => app.stop())

const call = (method: string, url: string, body?: unknown) =>
  app.call(method, url, { body, ...withSession(root.sessionToken) })

/** From memory if it is cached, as for every request. */
const viewOf = async (key: string, from = app): Promise<CredentialView | undefined> =>
  (from.ctx.credentials.recall(key) ?? (await from.ctx.credentials.load(key, { freshness: 'copy' })))?.cached.view

const warm = async (key: string): Promise<CredentialView> => {
  const view = await viewOf(key)
  assert.ok(view)
  assert.ok(app.ctx.credentials.recall(key), 'is cached')
  return view
}

async function serviceKey(owners: readonly SignedIn[], more: Record<string, unknown> = {}) {
  const account = await createAccount(app, root, owners)
  const { json } = await createAccountKey(app, root, account.id, more)
  return { account, id: json.data.id as string, key: json.data.key as string }
}

test('a personal key is read with its user, and a service key with its account', async () => {
  const ada = await registered(app)
  const mine = await createKey(app, ada, { ip_ranges: ['10.0.0.0/8'] })
  const view = await warm(mine.key)
  assert.deepEqual(
    [view.kind, view.id, view.user?.id, view.serviceAccount, view.key, view.scopes, view.ipRanges, view.isPaused],
    [
      'api_key',
      mine.id,
      ada.id,
      null,
      { id: mine.id, name: 'deploy', kind: 'personal', lastUsedAt: null },
      [read],
      ['10.0.0.0/8'],
      false,
    ],
  )
  assert.deepEqual(new Set(view.owners.map(({ id }) => id)), new Set([ada.id, mine.id]))
  const { account, id, key } = await serviceKey([ada])
  const service = await warm(key)
  assert.deepEqual([service.user, service.serviceAccount?.id, service.scopes], [null, account.id, [users]])
  assert.deepEqual(new Set(service.owners.map(({ id }) => id)), new Set([account.id, id, ada.id]))
})

test('a text with a wrong length, case or checksum is no key, and is not looked up', async () => {
  const { key } = await createKey(app, await registered(app))
  const swapped = key.slice(0, -6) + [...key.slice(-6)].toReversed().join('')
  const upper = key.slice(0, 20) + key.slice(20).toUpperCase()
  for (const text of [key.slice(0, -1), key.slice(0, -10), key.slice(0, 13), `${key}0`, upper, swapped, ''])
    assert.equal(app.ctx.credentials.recognize(text), undefined, text)
  assert.ok(app.ctx.credentials.recognize(key))
  assert.equal(await viewOf(key.replace('wkp_', 'wks_')), undefined)
})

test('a revoked, replaced, blocked or deleted key is rejected at once, even if it is cached', async () => {
  const ways: Record<string, (who: SignedIn, id: string) => Promise<{ status: number }>> = {
    revoked: (who, id) => app.call('DELETE', `${path}/${id}`, withSession(who.sessionToken)),
    replaced: (who, id) =>
      app.post(`${path}/${id}/rotate`, { overlap_until: iso(app.clock.now()) }, withSession(who.sessionToken)),
    blocked: (who) => call('POST', `/auth/admin/users/${who.id}/block`, { reason: 'test' }),
    deleted: (who) => call('DELETE', `/auth/admin/users/${who.id}`),
    'revoked by an administrator': (who) => call('DELETE', `/auth/admin/users/${who.id}/keys`, {}),
  }
  for (const [way, end] of Object.entries(ways)) {
    const ada = await registered(app)
    const { id, key } = await createKey(app, ada)
    await warm(key)
    assert.equal((await end(ada, id)).status, 200, way)
    assert.equal(await viewOf(key), undefined, way)
  }
})

test('a reported key is rejected at once', async () => {
  const { key } = await createKey(app, await registered(app))
  await warm(key)
  await app.post(`${path}/report`, { key })
  assert.equal(await viewOf(key), undefined)
})

test('a key ends at its end', async () => {
  const { key } = await createKey(app, await registered(app), { ends_at: iso(app.clock.now() + 2000) })
  await warm(key)
  app.clock.advance(2000)
  assert.equal(await viewOf(key), undefined)
})

test('a key of a service account follows every change of the account', async () => {
  const ada = await registered(app)
  const ways: Record<string, (id: string) => Promise<{ status: number }>> = {
    disabled: (id) => call('PUT', `${accountsPath}/${id}`, { enabled: false }),
    deleted: (id) => call('DELETE', `${accountsPath}/${id}`),
  }
  for (const [way, end] of Object.entries(ways)) {
    const { account, key } = await serviceKey([ada])
    await warm(key)
    assert.equal((await end(account.id)).status, 200, way)
    assert.equal(await viewOf(key), undefined, way)
  }
  const { account, key } = await serviceKey([ada])
  await warm(key)
  await call('PUT', `${accountsPath}/${account.id}`, { scopes: ['wardenry:audit:read'] })
  assert.deepEqual((await viewOf(key))?.scopes, [])
  await call('PUT', `${accountsPath}/${account.id}`, { ends_at: iso(app.clock.now() + 1000) })
  assert.equal((await viewOf(key))?.expiresAt, app.clock.now() + 1000)
  app.clock.advance(1000)
  assert.equal(await viewOf(key), undefined)
})

test('without an owner who is neither blocked nor deleted, the keys of an account are rejected', async () => {
  const [one, two] = [await registered(app), await registered(app)]
  const { key } = await serviceKey([one, two])
  await warm(key)
  await call('POST', `/auth/admin/users/${one.id}/block`, { reason: 'test' })
  assert.ok(await viewOf(key))
  await call('POST', `/auth/admin/users/${two.id}/block`, { reason: 'test' })
  assert.equal(await viewOf(key), undefined)
  const keep = await startTestApp({ modules: ['api-keys'], env: { ...keyEnv, SERVICE_ACCOUNT_OWNER_RULE: 'keep' } })
  try {
    const admin = await signedInAs(keep, 'superadmin')
    const owner = await registered(keep)
    const account = await createAccount(keep, admin, [owner])
    const { json } = await createAccountKey(keep, admin, account.id)
    await keep.call('DELETE', `/auth/admin/users/${owner.id}`, withSession(admin.sessionToken))
    const view = await viewOf(json.data.key, keep)
    assert.deepEqual(
      view?.owners.map(({ id }) => id),
      [account.id, json.data.id],
    )
  } finally {
    await keep.stop()
  }
})

test('a key pauses while its user must have a second factor and has none', async () => {
  const ada = await registered(app)
  const { key } = await createKey(app, ada)
  await sql`UPDATE users SET user_type = 'writer' WHERE id = ${ada.id}`.execute(app.ctx.db)
  assert.equal((await viewOf(key))?.isPaused, true)
  await sql`INSERT INTO two_factor (id, user_id, method, identifier, status, created_at, updated_at)
    VALUES (gen_random_uuid(), ${ada.id}, 'email', ${ada.email}, 'active', now(), now())`.execute(app.ctx.db)
  app.clock.advance(minute)
  assert.equal((await viewOf(key))?.isPaused, false)
  await sql`DELETE FROM two_factor WHERE user_id = ${ada.id}`.execute(app.ctx.db)
  app.clock.advance(minute)
  assert.equal((await viewOf(key))?.isPaused, true)
})

test('no key works while personal keys or the module are switched off', async () => {
  const { key } = await createKey(app, await registered(app))
  const store = async (name: string, value: string | null) => {
    const { status, text } = await call('PUT', '/auth/admin/settings', { changes: [{ name, value }] })
    assert.equal(status, 200, text)
  }
  await warm(key)
  await store('API_KEY_PERSONAL', 'false')
  app.clock.advance(5000)
  assert.equal(await viewOf(key), undefined)
  const other = await registered(app)
  const body = { name: 'k', scopes: [read], ends_at: iso(app.clock.now() + day) }
  assert.equal((await app.post(path, body, withSession(other.sessionToken))).json.code, 'NOT_CONFIGURED')
  await store('API_KEY_PERSONAL', null)
  await warm(key)
  await store('API_KEYS_ENABLED', 'false')
  assert.equal(await viewOf(key), undefined)
  assert.equal((await app.get(path, withSession(other.sessionToken))).json.code, 'MODULE_DISABLED')
  await store('API_KEYS_ENABLED', null)
  assert.ok(await viewOf(key))
})

test('uses are counted, and written once a minute per key', async () => {
  const ada = await registered(app)
  const { key } = await createKey(app, ada)
  const use = async (address?: string) => {
    const found = app.ctx.credentials.recall(key) ?? (await app.ctx.credentials.load(key, { freshness: 'copy' }))
    assert.ok(found)
    app.ctx.credentials.recognize(key)?.noteUse(found.cached, { now: app.clock.now(), address })
  }
  const writer = useWriterOf(app.ctx)
  const shown = async () => {
    const [one] = await keysOf(app, ada)
    return [one.last_used_at, one.last_used_ip, one.uses_last_day]
  }
  const first = iso(app.clock.now())
  for (let time = 0; time < 3; time++) await use('203.0.113.9')
  await writer.flush()
  assert.deepEqual(await shown(), [first, '203.0.113.9', 3])
  app.clock.advance(30_000)
  await use()
  await writer.flush()
  assert.deepEqual(await shown(), [first, '203.0.113.9', 3], 'a minute has not passed')
  app.clock.advance(30_000)
  await writer.flush()
  assert.equal((await shown())[2], 4)
  const { rows } = await sql<{ epoch: number }>`SELECT epoch::int FROM api_keys k JOIN users u ON u.id = k.user_id
    WHERE u.id = ${ada.id}`.execute(app.ctx.db)
  assert.deepEqual(rows, [{ epoch: 1 }], 'a use does not invalidate the key')
})

test('a use from a new network is audited, and mailed daily at most', async () => {
  const ada = await registered(app)
  const { id, key } = await createKey(app, ada)
  const writer = useWriterOf(app.ctx)
  const use = async (address: string) => {
    const found = await app.ctx.credentials.load(key, { freshness: 'copy' })
    assert.ok(found)
    app.ctx.credentials.recognize(key)?.noteUse(found.cached, { now: app.clock.now(), address })
    await writer.flush(true)
  }
  const audited = async () =>
    (await auditOf(app, 'api_key_used_from_new_network'))
      .filter(({ details }) => details.key === id)
      .map(({ details }) => details.network)
  await use('203.0.113.9')
  await use('203.0.113.200')
  assert.deepEqual(await audited(), [])
  await use('198.51.100.7')
  await use('198.51.100.8')
  await use('2001:db8:1:2:3::4')
  assert.deepEqual(await audited(), ['198.51.100.0/24', '2001:db8:1:2::/64'])
  assert.match(await mailWith(app, ada.email, 'used from a network'), /198\.51\.100\.7/)
  assert.equal(mailsWith(app, ada.email, 'used from a network').length, 1)
  app.clock.advance(day)
  await use('192.0.2.1')
  await mailWith(app, ada.email, '192.0.2.1')
})

test('a key is accepted on a route that declares its scope, and each reason of a rejection is audited once', async () => {
  const ada = await registered(app)
  const { id, key } = await createKey(app, ada, { ip_ranges: ['203.0.113.0/24'] })
  const get = (url: string, from: string) => app.get(url, { from, headers: { authorization: `Bearer ${key}` } })
  assert.equal((await get(path, '203.0.113.9')).json.code, 'KEY_NOT_ACCEPTED')
  const { status, json } = await get('/auth/profile', '203.0.113.9')
  assert.deepEqual([status, json.data?.user?.id ?? json.user?.id ?? json.data?.id], [200, ada.id], JSON.stringify(json))
  for (let time = 0; time < 2; time++)
    assert.equal((await get('/auth/profile', '198.51.100.7')).json.code, 'KEY_NETWORK')
  const rejections = async () => (await auditOf(app, 'api_key_refused')).filter(({ details }) => details.key === id)
  await eventually(async () => (await rejections()).length > 0)
  assert.deepEqual(
    (await rejections()).map(({ target_id, details }) => [target_id, details.code, details.address]),
    [[ada.id, 'KEY_NETWORK', '198.51.100.7']],
  )
})
