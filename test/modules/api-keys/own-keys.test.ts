import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { isCheckedSecret } from '../../../src/lib/checked-secret.ts'
import { sha256 } from '../../../src/lib/hash.ts'
import { day, hour, iso, minute } from '../../../src/lib/time.ts'
import { mailWith } from '../../email-addresses/change-support.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../../support/people.ts'
import { auditOf } from '../../support/rows.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { createKey, input, keyEnv, keysOf, path, read } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['api-keys', 'two-factor'], env: keyEnv })
})
after(() => app.stop())

const auditsOf = async (event: string, userId: string) =>
  (await auditOf(app, event)).filter(({ target_id }) => target_id === userId)

test('a key is shown once, stored as a hash and mailed', async () => {
  const ada = await registered(app)
  const { id, key, hint } = await createKey(app, ada, { name: ' deploy ', ip_ranges: ['10.0.0.0/8'] })
  assert.ok(isCheckedSecret('wkp_', key))
  assert.equal(hint, `${key.slice(0, 12)}…${key.slice(-4)}`)
  const { rows } = await sql<{ row: string; hash: string }>`SELECT api_keys::text AS row,
    encode(secret_hash, 'hex') AS hash FROM api_keys WHERE id = ${id}`.execute(app.ctx.db)
  assert.equal(rows[0]?.hash, sha256(key))
  assert.ok(!rows[0]?.row.includes(key))
  const reply = await app.get(path, withSession(ada.sessionToken))
  assert.ok(!reply.text.includes(key))
  const [listed] = reply.json.data.keys
  assert.deepEqual(
    [listed.name, listed.kind, listed.status, listed.scopes, listed.ip_ranges, listed.last_used_at],
    ['deploy', 'personal', 'active', [read], ['10.0.0.0/8'], null],
  )
  assert.deepEqual(reply.json.data.scopes, [read, 'wardenry:profile:write'])
  const mail = await mailWith(app, ada.email, 'API key was created')
  assert.match(mail, new RegExp(`${hint}[^]*/account/keys`))
  assert.ok(!mail.includes(key))
  const [created] = await auditsOf('api_key_created', ada.id)
  assert.deepEqual([created?.actor_id, created?.details.key], [ada.id, id])
})

test('the key belongs to the user of the session, whatever the body says', async () => {
  const [ada, victim] = [await registered(app), await registered(app)]
  for (const member of ['user_id', 'userId', 'owner', 'service_account_id']) {
    const body = input(app, { [member]: victim.id })
    const anonymous = await app.post(path, body)
    assert.deepEqual([anonymous.status, anonymous.json.code], [401, 'INVALID_SESSION'])
    assert.equal((await app.post(path, body, withSession(ada.sessionToken))).status, 200)
  }
  assert.deepEqual([(await keysOf(app, ada)).length, (await keysOf(app, victim)).length], [4, 0])
})

test('an unknown member is rejected by its name, because it may be a misspelt restriction', async () => {
  const ada = await registered(app)
  const own = withSession(ada.sessionToken)
  const { id } = await createKey(app, ada)
  for (const [method, url, body, name] of [
    ['POST', path, input(app, { ip_range: ['10.0.0.0/8'] }), 'ip_range'],
    ['POST', path, input(app, { user_id: ada.id, ends: null }), 'ends'],
    ['PUT', `${path}/${id}`, { name: 'other', ip_range: ['10.0.0.0/8'] }, 'ip_range'],
    ['POST', `${path}/${id}/rotate`, { overlap: iso(app.clock.now()) }, 'overlap'],
  ] as const) {
    const { status, json, text } = await app.call(method, url, { body, ...own })
    assert.equal(status, 400, text)
    assert.equal(json.details[0].field, name)
  }
  const keys = await keysOf(app, ada)
  assert.deepEqual(
    keys.map((key: { id: string; name: string }) => [key.id, key.name]),
    [[id, keys[0]?.name]],
  )
  assert.notEqual(keys[0]?.name, 'other')
  assert.equal((await app.post(path, input(app, { ipRanges: ['10.0.0.0/8'] }), own)).status, 200)
})

test('the name of a key is visible and does not reorder the text around it', async () => {
  const own = withSession((await registered(app)).sessionToken)
  for (const name of ['\u200b', 'a\u202eb', 'a\u200bb', '\u2066x', ' '])
    assert.equal((await app.post(path, input(app, { name }), own)).status, 400, JSON.stringify(name))
})

test('a user gives only scopes that they have, and none that is sensitive', async () => {
  const [ada, support] = [await registered(app), await signedInAs(app, 'support')]
  const create = (who: typeof ada, scope: string) =>
    app.post(path, input(app, { scopes: [read, scope] }), withSession(who.sessionToken))
  for (const [who, scope] of [
    [ada, 'wardenry:users:read'],
    [ada, 'wardenry:nothing:read'],
    [support, 'wardenry:messages:read'],
    [await signedInAs(app, 'superadmin'), 'wardenry:users:block'],
    [ada, 'wardenry:profile:delete'],
    [await signedInAs(app, 'superadmin'), 'wardenry:settings:write'],
    [await signedInAs(app, 'superadmin'), 'wardenry:keys:manage'],
  ] as const) {
    const { status, json } = await create(who, scope)
    assert.deepEqual([status, json.code], [403, 'KEY_SCOPE_NOT_ALLOWED'], scope)
    assert.match(json.error, new RegExp(scope))
  }
  assert.equal((await create(support, 'wardenry:users:read')).status, 200)
  const denied = (await auditOf(app, 'authz_denied')).filter(({ actor_id }) => actor_id === ada.id)
  assert.deepEqual(
    denied.map(({ details }) => [details.deed, details.code]),
    Array.from({ length: 3 }, () => ['create_api_key', 'KEY_SCOPE_NOT_ALLOWED']),
  )
})

test('creating, changing and replacing a key require a recent authentication, revoking does not', async () => {
  const ada = await registered(app)
  const { id } = await createKey(app, ada)
  app.clock.advance(app.ctx.config.REAUTH_WINDOW + minute)
  const own = withSession(ada.sessionToken)
  for (const [method, url, body] of [
    ['POST', path, input(app)],
    ['PUT', `${path}/${id}`, { name: 'other' }],
    ['POST', `${path}/${id}/rotate`, {}],
  ] as const) {
    const { status, json } = await app.call(method, url, { body, ...own })
    assert.deepEqual([status, json.code], [403, 'REAUTH_REQUIRED'], `${method} ${url}`)
  }
  assert.equal((await app.call('DELETE', `${path}/${id}`, own)).status, 200)
})

test('a session in which the second factor was skipped creates no key', async () => {
  const ada = await registered(app)
  await sql`UPDATE users SET two_factor = true WHERE id = ${ada.id}`.execute(app.ctx.db)
  await sql`INSERT INTO two_factor (id, user_id, method, identifier, status, created_at, updated_at)
    VALUES (gen_random_uuid(), ${ada.id}, 'email', ${ada.email}, 'active', now(), now())`.execute(app.ctx.db)
  const { status, json } = await app.post(path, input(app), withSession(ada.sessionToken))
  assert.deepEqual([status, json.code], [403, 'REAUTH_REQUIRED'])
  await sql`UPDATE sessions SET two_factor_verified = true WHERE user_id = ${ada.id}`.execute(app.ctx.db)
  await createKey(app, ada)
})

test('an end is required and limited', async () => {
  const ada = await registered(app)
  const create = async (ends_at: unknown) =>
    (await app.post(path, { name: 'k', scopes: [read], ends_at }, withSession(ada.sessionToken))).status
  const now = app.clock.now()
  assert.deepEqual(
    [await create(null), await create(undefined), await create(iso(now)), await create(iso(now + 366 * day))],
    [400, 400, 400, 400],
  )
  assert.equal(await create(iso(now + 365 * day)), 200)
})

test('ranges, names and scopes are checked together', async () => {
  const ada = await registered(app)
  const wrong = { name: '   ', scopes: ['Not A Scope'], ip_ranges: ['10.0.0.0/33'] }
  const { status, json } = await app.post(path, input(app, wrong), withSession(ada.sessionToken))
  assert.equal(status, 400)
  assert.deepEqual(json.details.map(({ field }: { field: string }) => field).toSorted(), [
    'ip_ranges',
    'name',
    'scopes',
  ])
  const many = Array.from({ length: 21 }, (_, index) => `10.0.${index}.0/24`)
  assert.equal((await app.post(path, input(app, { ip_ranges: many }), withSession(ada.sessionToken))).status, 400)
})

test('the number of keys of a user is limited, also for requests at the same time', async () => {
  const limited = await startTestApp({ modules: ['api-keys'], env: { ...keyEnv, API_KEYS_PER_USER: '3' } })
  try {
    const ada = await registered(limited)
    const all = await Promise.all(
      Array.from({ length: 8 }, () => limited.post(path, input(limited), withSession(ada.sessionToken))),
    )
    assert.equal(all.filter(({ status }) => status === 200).length, 3)
    assert.deepEqual(new Set(all.flatMap(({ json }) => json.code ?? [])), new Set(['TOO_MANY_KEYS']))
    const [first] = await keysOf(limited, ada)
    assert.equal((await limited.call('DELETE', `${path}/${first.id}`, withSession(ada.sessionToken))).status, 200)
    await createKey(limited, ada)
  } finally {
    await limited.stop()
  }
})

test('a key is replaced once, and the former one works until the end of the overlap', async () => {
  const ada = await registered(app)
  const own = withSession(ada.sessionToken)
  const first = await createKey(app, ada, { ip_ranges: ['10.0.0.0/8'] })
  const now = app.clock.now()
  const { status, json } = await app.post(`${path}/${first.id}/rotate`, {}, own)
  assert.equal(status, 200, JSON.stringify(json))
  const { id, key, overlap_until, ends_at, ip_ranges, name } = json.data
  assert.notEqual(key, first.key)
  assert.deepEqual(
    [overlap_until, ends_at, ip_ranges, name],
    [iso(now + 24 * hour), iso(now + 30 * day), ['10.0.0.0/8'], 'deploy'],
  )
  const statuses = async () => (await keysOf(app, ada)).map(({ status }: { status: string }) => status)
  assert.deepEqual((await statuses()).toSorted(), ['active', 'rotated'])
  for (const body of [{}, { overlap_until: iso(now + 8 * day) }])
    assert.equal((await app.post(`${path}/${first.id}/rotate`, body, own)).status, 400)
  const third = await app.post(`${path}/${id}/rotate`, {}, own)
  assert.match(JSON.stringify(third.json.details), /revoke that one first/)
  assert.equal((await app.call('PUT', `${path}/${first.id}`, { body: { name: 'x' }, ...own })).status, 400)
  app.clock.advance(24 * hour)
  assert.deepEqual(await statuses(), ['active', 'ended'])
})

test('a replaced key can end at once', async () => {
  const ada = await registered(app)
  const { id } = await createKey(app, ada)
  const body = { overlap_until: iso(app.clock.now()) }
  assert.equal((await app.post(`${path}/${id}/rotate`, body, withSession(ada.sessionToken))).status, 200)
  const former = (await keysOf(app, ada)).find((one: { id: string }) => one.id === id)
  assert.deepEqual([former.status, former.end_reason], ['ended', 'rotated'])
})

test('nobody changes, replaces or revokes the key of another user, or one that has ended', async () => {
  const [ada, other] = [await registered(app), await registered(app)]
  const { id } = await createKey(app, ada)
  const attempts = async (who: typeof ada) => {
    const own = withSession(who.sessionToken)
    return [
      await app.call('PUT', `${path}/${id}`, { body: { name: 'x' }, ...own }),
      await app.post(`${path}/${id}/rotate`, {}, own),
      await app.call('DELETE', `${path}/${id}`, own),
    ].map(({ status }) => status)
  }
  assert.deepEqual(await attempts(other), [404, 404, 404])
  assert.equal((await app.call('DELETE', `${path}/${id}`, withSession(ada.sessionToken))).status, 200)
  assert.deepEqual(await attempts(ada), [404, 404, 404])
  const [revoked] = await auditsOf('api_key_revoked', ada.id)
  assert.deepEqual(revoked?.details, { reason: 'revoked', keys: [id] })
})

test('anyone who has a key can report it, which ends it, with the same response as for any text', async () => {
  const ada = await registered(app)
  const { id, key } = await createKey(app, ada)
  const replies = [
    await app.post(`${path}/report`, { key }),
    await app.post(`${path}/report`, { key }),
    await app.post(`${path}/report`, { key: `${key.slice(0, -1)}_` }),
    await app.post(`${path}/report`, { key: 'nonsense' }),
  ]
  assert.deepEqual(
    replies.map(({ status, text }) => [status, text]),
    replies.map(() => [200, replies[0]?.text]),
  )
  const [listed] = await keysOf(app, ada)
  assert.deepEqual([listed.id, listed.status, listed.end_reason], [id, 'ended', 'reported'])
  await mailWith(app, ada.email, 'found in public')
  const [reported] = await auditsOf('api_key_reported', ada.id)
  assert.deepEqual(reported?.details.keys, [id])
})

test('an ended key stays ended, even if its row is changed by hand', async () => {
  const ada = await registered(app)
  const { id } = await createKey(app, ada)
  await app.call('DELETE', `${path}/${id}`, withSession(ada.sessionToken))
  await sql`UPDATE api_keys SET ended_at = NULL WHERE id = ${id}`.execute(app.ctx.db)
  assert.equal((await keysOf(app, ada))[0].status, 'ended')
})

test('revocation, scopes, networks and end raise the epoch of the key, and its name does not', async () => {
  const ada = await signedInAs(app, 'support')
  const own = withSession(ada.sessionToken)
  const { id } = await createKey(app, ada)
  const epochs = async () => {
    const { rows } = await sql<{ epoch: number }>`SELECT epoch::int FROM api_keys WHERE id = ${id}
      UNION ALL SELECT max(epoch)::int FROM session_revocations WHERE user_id = ${id}`.execute(app.ctx.db)
    return rows.map(({ epoch }) => epoch)
  }
  const put = async (body: object) =>
    assert.equal((await app.call('PUT', `${path}/${id}`, { body, ...own })).status, 200)
  await put({ name: 'renamed' })
  assert.deepEqual(await epochs(), [1, null])
  await put({ scopes: ['wardenry:users:read'] })
  assert.deepEqual(await epochs(), [2, 2])
  await put({ ip_ranges: ['10.0.0.0/8'] })
  await put({ ends_at: iso(app.clock.now() + day) })
  assert.deepEqual(await epochs(), [4, 4])
  await app.call('DELETE', `${path}/${id}`, own)
  assert.deepEqual(await epochs(), [5, 5])
  await sql`DELETE FROM api_keys WHERE id = ${id}`.execute(app.ctx.db)
  assert.deepEqual(await epochs(), [6])
})

test('deleting a user revokes the keys, and restoring the user does not revive them', async () => {
  const [ada, root] = [await registered(app), await signedInAs(app, 'superadmin')]
  const { id } = await createKey(app, ada)
  const admin = withSession(root.sessionToken)
  assert.equal((await app.call('DELETE', `/auth/admin/users/${ada.id}`, admin)).status, 200)
  assert.equal((await app.post(`/auth/admin/users/${ada.id}/restore`, {}, admin)).status, 200)
  const { json } = await app.get(`/auth/admin/users/${ada.id}/keys`, admin)
  assert.deepEqual(
    json.data.keys.map((one: { id: string; status: string; end_reason: string }) => [
      one.id,
      one.status,
      one.end_reason,
    ]),
    [[id, 'ended', 'user_deleted']],
  )
})

test('the email about a new password names the keys that still work', async () => {
  const changed = 'password for your account was changed'
  const change = async (user: SignedIn) => {
    const body = { currentPassword: user.password, newPassword: 'moths around the relay' }
    const { status, text } = await app.post('/auth/password-change/self', body, withSession(user.sessionToken))
    assert.equal(status, 200, text)
    return mailWith(app, user.email, changed)
  }
  const [ada, grace] = [await registered(app), await registered(app)]
  await createKey(app, ada, { name: 'deploy' })
  const { id } = await createKey(app, ada, { name: 'former' })
  assert.equal((await app.call('DELETE', `${path}/${id}`, withSession(ada.sessionToken))).status, 200)
  const mail = await change(ada)
  assert.match(mail, /API keys.*: deploy\. Revoke.*\/account\/keys/s)
  assert.ok(!mail.includes('former'))
  assert.doesNotMatch(await change(grace), /API keys/)
})
