import assert from 'node:assert/strict'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { unseal } from '../../src/lib/seal.ts'
import { day, hour } from '../../src/lib/time.ts'
import { disableRestoredWebhooks } from '../../src/webhooks/queries.ts'
import { resealWebhooks } from '../../src/webhooks/reseal-secrets.ts'
import { eventually } from '../support/eventually.ts'
import { registered, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { type Owner, ownerOf } from './support.ts'

const publicUrl = 'https://hooks.example.com/in?tenant=1'

describe('webhooks', () => {
  let app: TestApp
  let owner: Owner
  before(async () => {
    app = await startTestApp({ env: { ADMIN_SESSION_IDLE_TTL: '90d', ADMIN_SESSION_ABSOLUTE_TTL: '90d' } })
    owner = await ownerOf(app)
  })
  after(() => app.stop())

  test('are created, listed, changed and deleted, and no reply contains the secret or a header value again', async () => {
    const headers = [{ name: 'X-Api-Key', value: 'canary-of-a-header' }]
    const created = await owner.call('POST', '', {
      url: publicUrl,
      events: ['user.*', 'user.*'],
      description: ' CRM ',
      headers,
    })
    const { webhook, secret } = created.json.data
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(
      [webhook.url, webhook.description, webhook.events, webhook.enabled, webhook.headers, webhook.has_former_secret],
      [publicUrl, 'CRM', ['user.*'], true, ['x-api-key'], false],
    )
    const changed = await owner.call('PATCH', `/${webhook.id}`, { events: ['*'], enabled: false })
    assert.deepEqual(
      [changed.json.data.events, changed.json.data.enabled, changed.json.data.url],
      [['*'], false, publicUrl],
    )
    const replies = [await owner.call('GET'), await owner.call('GET', `/${webhook.id}`), changed]
    const rows = await sql<{ text: string }>`SELECT row_to_json(w)::text AS text FROM webhooks w`.execute(app.ctx.db)
    const audited = JSON.stringify(await auditOf(app, 'webhook_created'))
    for (const text of [...replies.map(({ text }) => text), JSON.stringify(rows.rows), audited, app.logged()])
      assert.ok(!text.includes(secret) && !text.includes('canary-of-a-header'))
    assert.equal((await owner.call('DELETE', `/${webhook.id}`)).status, 200)
    assert.equal((await owner.call('GET', `/${webhook.id}`)).status, 404)
    for (const event of ['webhook_created', 'webhook_updated', 'webhook_deleted']) {
      const [audit] = (await auditOf(app, event)).slice(-1)
      assert.deepEqual([audit?.actor_id, audit?.details.webhook], [owner.superadmin.id, webhook.id])
    }
  })

  test('header values are not sent to another host unless they are given again', async () => {
    const headers = [{ name: 'authorization', value: 'Bearer c0ffee' }]
    const input = { url: publicUrl, events: ['*'], enabled: false, headers }
    const { id } = (await owner.call('POST', '', input)).json.data.webhook
    const other = 'https://elsewhere.example.org/in'
    const moved = await owner.call('PUT', `/${id}`, { url: other })
    assert.deepEqual([moved.status, moved.json.details[0].field], [400, 'headers'])
    assert.equal((await owner.call('GET', `/${id}`)).json.data.url, publicUrl)
    assert.equal((await owner.call('PUT', `/${id}`, { url: new URL('/other', publicUrl).href })).status, 200)
    assert.equal((await owner.call('PUT', `/${id}`, { url: other, headers })).status, 200)
    assert.equal((await owner.call('PUT', `/${id}`, { url: publicUrl, headers: [] })).status, 200)
    assert.equal((await owner.call('PUT', `/${id}`, { url: other })).status, 200)
    await owner.call('DELETE', `/${id}`)
  })

  const refused: [what: string, input: Record<string, unknown>, field: string][] = [
    ['plain http', { url: 'http://hooks.example.com/' }, 'url'],
    ['loopback', { url: 'https://127.0.0.1/' }, 'url'],
    ['localhost', { url: 'https://LOCALHOST./' }, 'url'],
    ['a private address', { url: 'https://10.0.0.1/' }, 'url'],
    ['a private address in IPv6', { url: 'https://[::ffff:10.0.0.1]/' }, 'url'],
    ['a private address in decimal', { url: 'https://167772161/' }, 'url'],
    ['link-local metadata', { url: 'https://169.254.169.254/latest' }, 'url'],
    ['a password in the URL', { url: 'https://user:secret@hooks.example.com/' }, 'url'],
    ['a fragment', { url: 'https://hooks.example.com/#a' }, 'url'],
    ['another scheme', { url: 'file:///etc/passwd' }, 'url'],
    ['no URL', { url: 'hooks' }, 'url'],
    ['a long URL', { url: `https://hooks.example.com/${'a'.repeat(3_000)}` }, 'url'],
    ['no events', { events: [] }, 'events'],
    ['an unknown event', { events: ['user.flew'] }, 'events'],
    ['an unknown group', { events: ['flights.*'] }, 'events'],
    ['a pattern inside', { events: ['user.*.x'] }, 'events'],
    ['many events', { events: Array.from({ length: 51 }, (_, at) => `user.${at}`) }, 'events'],
    ['a control character', { description: 'a\u0000b' }, 'description'],
    ['a signature header', { headers: [{ name: 'Webhook-Signature', value: 'v1,x' }] }, 'headers'],
    ['a host header', { headers: [{ name: 'Host', value: 'internal' }] }, 'headers'],
    ['header injection', { headers: [{ name: 'x-a', value: 'b\r\nx-c: d' }] }, 'headers'],
    ['a header name with a space', { headers: [{ name: 'x a', value: 'b' }] }, 'headers'],
    [
      'a header twice',
      {
        headers: [
          { name: 'x-a', value: 'b' },
          { name: 'X-A', value: 'c' },
        ],
      },
      'headers',
    ],
    ['11 headers', { headers: Array.from({ length: 11 }, (_, at) => ({ name: `x-${at}`, value: 'b' })) }, 'headers'],
    ['a number', { enabled: 'perhaps' }, 'enabled'],
  ]
  for (const [what, input, field] of refused)
    test(`refuse ${what}`, async () => {
      const { status, json } = await owner.call('POST', '', { url: publicUrl, events: ['*'], ...input })
      assert.equal(status, 400, JSON.stringify(json))
      assert.match(json.details[0].field, new RegExp(`^${field}`))
      assert.deepEqual((await owner.call('GET')).json.data.webhooks, [])
    })

  test('require a superadmin with recent authentication', async () => {
    const admin = await signedInAs(app, 'admin')
    const asAdmin = await app.post(
      '/auth/admin/webhooks',
      { url: publicUrl, events: ['*'] },
      withSession(admin.sessionToken),
    )
    assert.equal(asAdmin.status, 403)
    assert.equal((await app.get('/auth/admin/webhooks', withSession(admin.sessionToken))).status, 403)
    const { id } = await owner.create({ url: publicUrl })
    app.clock.advance(2 * hour)
    const stale: [method: string, path: string, body?: unknown][] = [
      ['POST', '', { url: publicUrl, events: ['*'] }],
      ['PUT', `/${id}`, { url: publicUrl }],
      ['POST', `/${id}/secret`],
      ['POST', `/${id}/test`],
      ['POST', `/${id}/replay`, { failed: true }],
      ['DELETE', `/${id}`],
    ]
    for (const [method, path, body] of stale) {
      const { status, json } = await owner.call(method, path, body)
      assert.deepEqual([status, json.code], [403, 'REAUTH_REQUIRED'], `${method} ${path}`)
    }
    assert.equal((await owner.call('GET', `/${id}`)).json.data.has_former_secret, false)
    owner = await ownerOf(app)
    await owner.call('DELETE', `/${id}`)
  })

  test('of a loopback address behind a host name are refused when the connection is opened', async (t) => {
    // This name passes the checks of the URL. Machines without such a name skip the check of the connection.
    const { address } = await lookup('localhost', 4)
    assert.equal(address, '127.0.0.1')
    let connections = 0
    const server = createServer(() => connections++).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    const { id } = await owner.create({ url: publicUrl, events: ['user.created'] })
    const { port } = server.address() as AddressInfo
    await sql`UPDATE webhooks SET url = ${`https://localhost:${port}/`} WHERE id = ${id}`.execute(app.ctx.db)
    await registered(app)
    const first = async () => (await owner.call('GET', `/${id}/deliveries`)).json.data.deliveries[0]
    await eventually(async () => Boolean((await first())?.last_error))
    assert.match((await first()).last_error, /has no public address/)
    assert.equal(connections, 0)
    await owner.call('DELETE', `/${id}`)
  })

  test('have at most 100 of them', async () => {
    await sql`INSERT INTO webhooks (id, url, description, events, is_enabled, headers, secret, created_at, updated_at)
      SELECT gen_random_uuid(), ${publicUrl}, 'filler', '{*}', false, '', '', now(), now()
      FROM generate_series(1, 100)`.execute(app.ctx.db)
    const { status, json } = await owner.call('POST', '', { url: publicUrl, events: ['*'] })
    assert.deepEqual([status, json.details[0].field], [400, 'url'])
    await app.ctx.db.deleteFrom('webhooks').where('description', '=', 'filler').execute()
  })

  test('encrypt their secrets with the current key', async () => {
    const { id, secret } = await owner.create({ url: publicUrl })
    const keys = [{ id: '2', key: Buffer.alloc(32, 9) }, ...app.ctx.dataKeys]
    assert.equal(await resealWebhooks({ ...app.ctx, dataKeys: keys }), 1)
    assert.equal(await resealWebhooks({ ...app.ctx, dataKeys: keys }), 0)
    const row = await app.ctx.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    assert.equal(unseal(keys.slice(0, 1), row.secret), secret)
    assert.equal(unseal(keys.slice(0, 1), row.headers), '[]')
    await app.ctx.db.deleteFrom('webhooks').execute()
  })

  test('of a restored database are disabled until a superadmin enables them', async () => {
    const { id } = await owner.create({ url: publicUrl })
    await disableRestoredWebhooks(app.ctx.db)
    const { enabled, disabled_reason } = await owner.get(id)
    assert.deepEqual([enabled, disabled_reason], [false, 'restored'])
    await owner.call('PUT', `/${id}`, { enabled: true })
    assert.equal((await owner.get(id)).disabled_reason, null)
    await owner.call('DELETE', `/${id}`)
  })

  test('answer 404 and 400 to unknown ids and unusable replays', async () => {
    const { id } = await owner.create({ url: publicUrl, enabled: false })
    const unknown = '01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf'
    for (const path of [
      `/${unknown}`,
      '/none',
      `/${unknown}/deliveries`,
      `/${id}/deliveries/${unknown}`,
      `/${id}/deliveries/x`,
    ])
      assert.equal((await owner.call('GET', path)).status, 404, path)
    assert.equal((await owner.call('POST', `/${id}/replay`, { delivery_id: unknown })).status, 404)
    const now = new Date(app.clock.now())
    const later = new Date(app.clock.now() + day).toISOString()
    for (const body of [
      {},
      { failed: false },
      { failed: true, delivery_id: unknown },
      { to: later },
      { from: later, to: now.toISOString() },
      { from: 'yesterday' },
    ])
      assert.equal((await owner.call('POST', `/${id}/replay`, body)).status, 400, JSON.stringify(body))
    assert.equal((await owner.call('POST', `/${id}/test`)).status, 400, 'disabled')
    assert.equal((await owner.call('GET', `/${id}/deliveries?status=lost`)).status, 400)
    await owner.call('DELETE', `/${id}`)
  })
})
