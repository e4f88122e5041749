import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { deleteOldUsage } from '../../src/admin/usage-queries.ts'
import { newApplicationSecret } from '../../src/http/access/application-secret.ts'
import { day, hour, minute } from '../../src/lib/time.ts'
import { assertError } from '../http/support.ts'
import { registered, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { type Superadmin, secretsOf, superadminOf } from './support.ts'

describe('bridge secrets of applications', () => {
  let app: TestApp
  let superadmin: Superadmin
  let sessionToken: string
  before(async () => {
    app = await startTestApp({
      env: {
        ADMIN_SESSION_IDLE_TTL: '90d',
        ADMIN_SESSION_ABSOLUTE_TTL: '90d',
        TRUSTED_PROXIES: '127.0.0.1/32',
        RATE_LIMIT_BRIDGE_FAIL: '1000/5m',
        MAIL_CAP: '1000/1h',
      },
    })
    superadmin = await superadminOf(app)
    sessionToken = (await registered(app)).sessionToken
  })
  after(() => app.stop())

  const validate = (secret: string, more: object = {}) =>
    app.post('/auth/bridge/validate', { session_id: sessionToken }, { headers: { 'x-bridge-secret': secret }, ...more })
  const me = (secret: string) =>
    app.get('/auth/user/me', { headers: { 'x-bridge-secret': secret, 'x-session-id': sessionToken } })
  const opens = async (secret: string) => (await validate(secret)).status === 200

  test('are shown once, listed without the secret, changed, rotated and revoked, each with an audit event', async () => {
    const shop = await secretsOf(superadmin, 'shop')
    const { secret, application_secret: made } = await shop.create()
    assert.match(secret, /^wbs_[0-9A-Za-z]{49}$/)
    assert.equal(made.hint, `${secret.slice(0, 12)}…${secret.slice(-4)}`)
    assert.deepEqual([made.rights, made.ip_ranges, made.ends_at, made.last_used_at], [['sessions'], [], null, null])
    assert.equal((await validate(secret)).json.user !== undefined, true)

    const changed = await shop.call('PUT', `/${made.id}`, { rights: ['users', 'sessions'] })
    assert.deepEqual(changed.json.data.rights, ['sessions', 'users'])
    const rotated = (await shop.call('POST', `/${made.id}/rotate`, {})).json.data
    assert.deepEqual(rotated.application_secret.rights, ['sessions', 'users'])
    assert.deepEqual([await opens(secret), await opens(rotated.secret)], [true, true])

    await app.ctx.usage.flush()
    const listed = (await shop.call('GET')).json.data.secrets
    assert.deepEqual(
      listed.map(({ id }: { id: string }) => id),
      [made.id, rotated.application_secret.id],
    )
    for (const { last_used_at, requests_last_day } of listed) assert.ok(last_used_at && requests_last_day > 0)
    assert.equal(Date.parse(listed[0].ends_at) > app.ctx.clock.now() + 23 * hour, true)

    assert.equal((await shop.call('DELETE', `/${made.id}`)).status, 200)
    assert.deepEqual([await opens(secret), await opens(rotated.secret)], [false, true])

    for (const name of ['created', 'updated', 'rotated', 'revoked']) {
      const [event] = await auditOf(app, `application_secret_${name}`)
      assert.deepEqual([event?.actor_id, event?.details.key], [superadmin.id, 'shop'], name)
    }
    const [updated] = await auditOf(app, 'application_secret_updated')
    assert.deepEqual(updated?.details.before, { rights: ['sessions'], ip_ranges: [], ends_at: null })
    const { rows } = await sql<{ text: string }>`SELECT string_agg(row_to_json(e)::text, '') AS text
      FROM audit_events e`.execute(app.ctx.db)
    assert.ok(!rows[0]?.text.includes(secret.slice(12, -4)))
    const stored = await sql<{ text: string }>`SELECT string_agg(row_to_json(s)::text, '') AS text
      FROM application_secrets s`.execute(app.ctx.db)
    assert.ok(!stored.rows[0]?.text.includes(rotated.secret.slice(12, -4)))
  })

  test('the last use of a revoked secret is forgotten with old counts, and that of others is kept', async () => {
    const shop = await secretsOf(superadmin, 'counted')
    const [revoked, kept] = [await shop.create(), await shop.create()]
    assert.deepEqual([await opens(revoked.secret), await opens(kept.secret)], [true, true])
    await app.ctx.usage.flush()
    await shop.call('DELETE', `/${revoked.application_secret.id}`)
    await deleteOldUsage(app.ctx.db, new Date(app.ctx.clock.now() + day), 1_000)
    const { rows } = await sql<{ name: string }>`SELECT name FROM usage_counts
      WHERE name IN (${revoked.application_secret.id}, ${kept.application_secret.id})`.execute(app.ctx.db)
    assert.deepEqual(rows, [{ name: kept.application_secret.id }])
  })

  test('an unknown secret, one with a wrong checksum and one of another kind are rejected alike', async () => {
    const { secret } = await (await secretsOf(superadmin, 'unknown')).create()
    const other = secret.endsWith('a') ? 'b' : 'a'
    for (const wrong of [newApplicationSecret(), secret.slice(0, -1) + other, secret.slice(1), `${secret}0`, 'wbs_']) {
      const reply = await validate(wrong)
      assertError(reply, 401, 'BRIDGE_SECRET_REQUIRED', wrong)
      assert.equal(reply.json.error, 'Invalid or missing bridge secret')
    }
    const events = await auditOf(app, 'bridge_auth_fail')
    assert.ok(events.slice(-5).every(({ details }) => details.reason === undefined))
  })

  test('a secret opens only the routes for which it has the right, and the others say which one is missing', async () => {
    const shop = await secretsOf(superadmin, 'rights')
    const sessions = await shop.create({ rights: ['sessions'] })
    const users = await shop.create({ rights: ['users'] })
    assert.deepEqual([(await validate(sessions.secret)).status, (await me(users.secret)).status], [200, 200])
    for (const [reply, right] of [
      [await me(sessions.secret), 'users'],
      [await validate(users.secret), 'sessions'],
      [await app.get('/auth/verify', { headers: { 'x-bridge-secret': users.secret } }), 'sessions'],
      [await app.get('/auth/bridge/events', { headers: { 'x-bridge-secret': users.secret } }), 'sessions'],
      [
        await app.post(
          '/auth/login',
          { email: 'a@example.com', password: 'x' },
          {
            headers: { 'x-bridge-secret': users.secret, 'x-end-user-ip': '203.0.113.7' },
          },
        ),
        'sessions',
      ],
      [await app.post('/auth/logout', {}, { headers: { 'x-bridge-secret': users.secret } }), 'sessions'],
    ] as const) {
      assertError(reply, 403, 'FORBIDDEN', right)
      assert.match(reply.json.error, new RegExp(`lacks the right "${right}"`))
    }
    const denied = (await auditOf(app, 'authz_denied')).at(-1)
    const { route, right, secret_id, key } = denied?.details ?? {}
    assert.deepEqual(
      [route, right, secret_id, key],
      ['POST /auth/logout', 'sessions', users.application_secret.id, 'rights'],
    )
  })

  test('requests that lack a right are limited', async () => {
    const limited = await startTestApp({ env: { RATE_LIMIT_BRIDGE_FAIL: '2/5m' } })
    try {
      const own = await superadminOf(limited)
      const { secret } = await (await secretsOf(own, 'limited')).create({ rights: ['users'] })
      const call = { headers: { 'x-bridge-secret': secret }, from: '203.0.113.5' }
      const statuses: number[] = []
      for (let attempt = 0; attempt < 4; attempt++)
        statuses.push((await limited.post('/auth/bridge/validate', {}, call)).status)
      assert.deepEqual(statuses, [403, 403, 429, 429])
      assert.equal((await auditOf(limited, 'authz_denied')).length, 2)
    } finally {
      await limited.stop()
    }
  })

  test('a secret in a browser is rejected and recorded', async () => {
    const { secret, application_secret } = await (await secretsOf(superadmin, 'browser')).create()
    const reply = await app.post(
      '/auth/bridge/validate',
      { session_id: sessionToken },
      { headers: { 'x-bridge-secret': secret, origin: 'https://evil.example.com' } },
    )
    assertError(reply, 401, 'BRIDGE_SECRET_REQUIRED')
    assert.match(reply.json.error, /page in a browser/)
    assert.ok((await auditOf(app, 'bridge_secret_from_browser')).length > 0)
    assert.equal(await opens(secret), true, application_secret.hint)
  })

  const reasonFor = async (key: string) =>
    (await auditOf(app, 'bridge_auth_fail')).findLast(({ details }) => details.key === key)?.details.reason

  test('a secret of a disabled or deleted application is rejected, and a deletion cannot be undone for secrets', async () => {
    const shop = await secretsOf(superadmin, 'ended')
    const { secret } = await shop.create()
    await superadmin.call('POST', `/${shop.id}/disable`)
    assertError(await validate(secret), 401, 'BRIDGE_SECRET_REQUIRED')
    assert.equal(await reasonFor('ended'), 'application_disabled')
    await superadmin.call('POST', `/${shop.id}/enable`)
    assert.equal(await opens(secret), true)
    await superadmin.call('DELETE', `/${shop.id}`)
    assert.equal(await opens(secret), false)
    assert.equal((await shop.call('POST', '', {})).status, 404)
    await superadmin.call('POST', `/${shop.id}/restore`)
    assert.equal(await opens(secret), false)
    assert.deepEqual((await shop.call('GET')).json.data.secrets, [])
    await sql`INSERT INTO application_secrets SELECT gen_random_uuid(), ${shop.id}, now(), '\\x00', '', '{sessions}', '{}', NULL`.execute(
      app.ctx.db,
    )
    await sql`UPDATE applications SET deleted_at = now() WHERE id = ${shop.id}`.execute(app.ctx.db)
    assert.deepEqual((await shop.call('GET')).json.data.secrets, [], 'also if it was deleted by hand')
  })

  test('a secret ends at its time, and cannot be revived', async (t) => {
    const shop = await secretsOf(superadmin, 'time')
    const ends_at = new Date(app.ctx.clock.now() + minute).toISOString()
    const { secret, application_secret } = await shop.create({ ends_at })
    assert.equal(await opens(secret), true)
    const now = app.ctx.clock.now()
    t.mock.method(app.ctx.clock, 'now', () => now + minute)
    t.mock.method(app.ctx.clock, 'date', () => new Date(now + minute))
    assert.equal(await opens(secret), false)
    assert.equal(await reasonFor('time'), 'ended')
    const path = `/${application_secret.id}`
    assert.equal((await shop.call('PUT', path, { ends_at: null })).status, 404)
    assert.equal((await shop.call('POST', `${path}/rotate`, {})).status, 404)
    await shop.create()
    await shop.create()
    assert.equal((await shop.call('GET')).json.data.secrets.length, 2, 'one that has ended does not count')
  })

  test('a secret is accepted from its networks only, whatever a back end says about its end user', async () => {
    const shop = await secretsOf(superadmin, 'network')
    const { secret } = await shop.create({ ip_ranges: ['203.0.113.0/24', '2001:db8::/32'] })
    const from = async (address: string, more: object = {}) =>
      (
        await app.post(
          '/auth/bridge/validate',
          { session_id: sessionToken },
          { headers: { 'x-bridge-secret': secret, 'x-forwarded-for': address, ...more }, from: '127.0.0.1' },
        )
      ).status
    assert.deepEqual(
      [await from('203.0.113.9'), await from('2001:db8::7'), await from('::ffff:203.0.113.9')],
      [200, 200, 200],
    )
    for (const other of ['203.0.114.9', '2001:db9::7', '198.51.100.1', 'unknown'])
      assert.equal(await from(other, { 'x-end-user-ip': '203.0.113.9', 'x-real-ip': '203.0.113.9' }), 401, other)
    assert.equal(await reasonFor('network'), 'network')
    const direct = { headers: { 'x-bridge-secret': secret, 'x-forwarded-for': '203.0.113.9' }, from: '198.51.100.9' }
    assert.equal((await app.post('/auth/bridge/validate', { session_id: sessionToken }, direct)).status, 401)
  })

  test('a network that was written by hand in another form is none, and other secrets still work', async () => {
    const [hand, other] = [await secretsOf(superadmin, 'by-hand'), await secretsOf(superadmin, 'by-rule')]
    const [wrong, right] = [await hand.create({ ip_ranges: ['0.0.0.0/0'] }), await other.create()]
    assert.equal(await opens(wrong.secret), true)
    await sql`UPDATE application_secrets SET ip_ranges = '{"anywhere","1.2.3.4/999"}'
      WHERE id = ${wrong.application_secret.id}`.execute(app.ctx.db)
    await superadmin.call('PUT', `/${other.id}`, { note: 'x' })
    assert.deepEqual([await opens(wrong.secret), await opens(right.secret)], [false, true])
  })

  test('an application has two secrets at most, even if several are made or rotated at the same time', async () => {
    const shop = await secretsOf(superadmin, 'two')
    const made = await Promise.all(Array.from({ length: 4 }, () => shop.call('POST', '', {})))
    assert.equal(made.filter(({ status }) => status === 200).length, 2)
    const refused = made.find(({ status }) => status !== 200)
    const secrets = (await shop.call('GET')).json.data.secrets
    assert.equal(secrets.length, 2)
    assert.equal(refused?.json.details[0].field, 'application_id')
    for (const { hint } of secrets) assert.ok(refused?.json.details[0].message.includes(hint))
    await shop.call('DELETE', `/${secrets[0].id}`)
    const rotations = await Promise.all(
      Array.from({ length: 4 }, () => shop.call('POST', `/${secrets[1].id}/rotate`, {})),
    )
    assert.deepEqual(rotations.map(({ status }) => status).toSorted(), [200, 400, 400, 400])
    assert.equal((await shop.call('GET')).json.data.secrets.length, 2)
  })

  test('a rotation without overlap revokes the former secret, and one with overlap ends it then, but not later', async (t) => {
    const shop = await secretsOf(superadmin, 'overlap')
    const first = await shop.create({ ip_ranges: ['0.0.0.0/0'] })
    const second = (await shop.call('POST', `/${first.application_secret.id}/rotate`, { overlap: 0 })).json.data
    assert.deepEqual([await opens(first.secret), await opens(second.secret)], [false, true])
    const soon = new Date(app.ctx.clock.now() + minute).toISOString()
    await shop.call('PUT', `/${second.application_secret.id}`, { ends_at: soon })
    const overlap = (7 * day) / 1000
    const third = (await shop.call('POST', `/${second.application_secret.id}/rotate`, { overlap, ends_at: null })).json
      .data
    assert.deepEqual(third.application_secret.ip_ranges, ['0.0.0.0/0'])
    const now = app.ctx.clock.now()
    t.mock.method(app.ctx.clock, 'now', () => now + 2 * minute)
    assert.deepEqual([await opens(second.secret), await opens(third.secret)], [false, true])
    t.mock.restoreAll()
    const kept = (await shop.call('POST', `/${third.application_secret.id}/rotate`, { overlap: 0, ends_at: soon })).json
      .data
    assert.equal(kept.application_secret.ends_at, soon)
  })

  test('wrong members are refused with their names', async () => {
    const shop = await secretsOf(superadmin, 'wrong')
    const { id } = (await shop.create()).application_secret
    const past = new Date(app.ctx.clock.now() - minute).toISOString()
    for (const [path, input, field] of [
      ['', { rights: [] }, 'rights'],
      ['', { rights: ['everything'] }, 'rights'],
      ['', { ip_ranges: ['10.0.0.0/33'] }, 'ip_ranges'],
      ['', { ip_ranges: ['example.com'] }, 'ip_ranges'],
      ['', { ip_ranges: Array.from({ length: 21 }, (_, index) => `10.0.0.${index}`) }, 'ip_ranges'],
      ['', { ends_at: 'tomorrow' }, 'ends_at'],
      ['', { ends_at: past }, 'ends_at'],
      [`/${id}/rotate`, { overlap: -1 }, 'overlap'],
      [`/${id}/rotate`, { overlap: (7 * day) / 1000 + 1 }, 'overlap'],
      [`/${id}/rotate`, { overlap: 1.5 }, 'overlap'],
      [`/${id}/rotate`, { ends_at: past }, 'ends_at'],
    ] as const) {
      const reply = await shop.call('POST', path, input)
      assertError(reply, 400, 'VALIDATION_ERROR', JSON.stringify(input))
      assert.match(reply.json.details[0].field, new RegExp(`^${field}`))
    }
    for (const [method, path] of [
      ['PUT', '/unknown'],
      ['POST', '/unknown/rotate'],
      ['DELETE', '/unknown'],
    ] as const)
      assert.equal((await shop.call(method, path, {})).status, 404, path)
    const other = await secretsOf(superadmin, 'not-its-own')
    assert.equal((await other.call('DELETE', `/${id}`)).status, 404)
    assert.equal((await shop.call('GET')).json.data.secrets.length, 1)
  })

  test('only superadmins with a recent authentication manage secrets', async (t) => {
    const shop = await secretsOf(superadmin, 'guarded')
    const { id } = (await shop.create()).application_secret
    const admin = await signedInAs(app, 'admin')
    const calls = [
      ['POST', ''],
      ['PUT', `/${id}`],
      ['POST', `/${id}/rotate`],
      ['DELETE', `/${id}`],
    ] as const
    for (const [method, path] of calls) {
      const reply = await app.call(method, shop.path + path, { body: {}, ...withSession(admin.sessionToken) })
      assertError(reply, 403, 'FORBIDDEN', method + path)
    }
    const now = app.ctx.clock.now()
    t.mock.method(app.ctx.clock, 'now', () => now + app.ctx.config.REAUTH_WINDOW + minute)
    for (const [method, path] of calls)
      assertError(await shop.call(method, path, {}), 403, 'REAUTH_REQUIRED', method + path)
  })

  test('all superadmins are told of a new secret and of one that allows more, and of nothing else', async () => {
    const other = await signedInAs(app, 'superadmin')
    const shop = await secretsOf(superadmin, 'mailed')
    const { secret, application_secret } = await shop.create({ ip_ranges: ['10.0.0.0/8', '10.1.0.0/16'] })
    const path = `/${application_secret.id}`
    const ends_at = new Date(app.ctx.clock.now() + hour).toISOString()
    const later = new Date(app.ctx.clock.now() + 2 * hour).toISOString()
    assert.match((await app.mailTo(other.email, 1)).text, /mailed[\s\S]*wbs_[\s\S]*sessions/)
    const changes: [input: object, isWider: boolean][] = [
      [{ ip_ranges: ['10.0.0.0/8'] }, false],
      [{ ends_at }, false],
      [{ ends_at }, false],
      [{ ends_at: later }, true],
      [{ rights: ['sessions', 'users'] }, true],
      [{ rights: ['users'] }, false],
      [{ ip_ranges: ['10.0.0.0/8', '192.0.2.0/24'] }, true],
      [{ ip_ranges: [] }, true],
      [{ ip_ranges: ['10.0.0.0/8'] }, false],
      [{ ends_at: null }, true],
    ]
    let count = 2
    for (const [input, isWider] of changes) {
      assert.equal((await shop.call('PUT', path, input)).status, 200, JSON.stringify(input))
      if (isWider) await app.mailTo(other.email, count++)
    }
    const rotated = (await shop.call('POST', `${path}/rotate`, {})).json.data.application_secret
    assert.ok((await app.mailTo(other.email, count++)).text.includes(rotated.hint), 'no other change was mailed')
    await superadmin.create('accepted', {})
    const { id } = shop
    assert.equal((await superadmin.call('PUT', `/${id}`, { accepts: ['accepted'] })).status, 200)
    assert.match((await app.mailTo(other.email, count)).text, /wbs_[\s\S]*sessions \(accepted\)/)
    await shop.call('DELETE', path)
    assert.ok(!app.logged().includes(secret))
  })
})
