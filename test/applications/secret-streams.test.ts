import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { minute } from '../../src/lib/time.ts'
import { assertError } from '../http/support.ts'
import { openStream, readStream } from '../support/event-stream.ts'
import { eventually } from '../support/eventually.ts'
import { registered } from '../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'
import { type Superadmin, secretsOf, superadminOf } from './support.ts'

let app: TestApp
let superadmin: Superadmin
let port: number
before(async () => {
  app = await startTestApp()
  superadmin = await superadminOf(app)
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  port = (app.http.server.address() as AddressInfo).port
})
after(() => app.stop())

type Secrets = Awaited<ReturnType<typeof secretsOf>>
type ChangeOfSecret = (shop: Secrets, id: string, t: TestContext) => Promise<unknown>

const changes: Record<string, ChangeOfSecret> = {
  'its secret is revoked': (shop, id) => shop.call('DELETE', `/${id}`),
  'its secret is rotated without overlap': (shop, id) => shop.call('POST', `/${id}/rotate`, { overlap: 0 }),
  'its secret loses the right': (shop, id) => shop.call('PUT', `/${id}`, { rights: ['users'] }),
  'its secret is limited to other networks': (shop, id) => shop.call('PUT', `/${id}`, { ip_ranges: ['10.0.0.0/8'] }),
  'its application is disabled': ({ id }) => superadmin.call('POST', `/${id}/disable`),
  'its application is deleted': ({ id }) => superadmin.call('DELETE', `/${id}`),
  'its secret ends': async (shop, id, t) => {
    const ends_at = new Date(app.ctx.clock.now() + minute).toISOString()
    assert.equal((await shop.call('PUT', `/${id}`, { ends_at })).status, 200)
    const later = app.ctx.clock.now() + minute
    t.mock.method(app.ctx.clock, 'now', () => later)
  },
}

let number = 0
for (const [what, change] of Object.entries(changes)) {
  test(`a stream of an application ends within a second when ${what}, and others go on`, async (t) => {
    const shop = await secretsOf(superadmin, `stream-${++number}`)
    const { secret, application_secret } = await shop.create()
    const other = await (await secretsOf(superadmin, `other-${number}`)).create()
    const streams = await Promise.all(
      [secret, other.secret, bridgeSecret].map((one) => openStream(port, { 'x-bridge-secret': one })),
    )
    const [own, ...others] = streams.map(({ reply, close }) => {
      assert.equal(reply.statusCode, 200)
      t.after(close)
      return reply.resume()
    })
    await change(shop, application_secret.id, t)
    const delay = await eventually(() => own?.closed === true)
    assert.ok(delay < 1_000, `${delay} ms`)
    for (const reply of others) assert.equal(reply.destroyed, false)
  })
}

test('while the applications cannot be read, no secret of theirs is accepted, which the response says', async (t) => {
  const { secret } = await (await secretsOf(superadmin, 'outage')).create()
  const { sessionToken } = await registered(app)
  const validate = (value: string) =>
    app.post('/auth/bridge/validate', { session_id: sessionToken }, { headers: { 'x-bridge-secret': value } })
  assert.equal((await validate(secret)).status, 200)
  const [stream, kept] = [await openStream(port, { 'x-bridge-secret': secret }), await readStream(port)]
  t.after(() => [stream, kept].map(({ close }) => close()))
  stream.reply.resume()
  await sql`ALTER TABLE applications RENAME TO unreadable`.execute(app.ctx.db)
  await app.ctx.applications.invalidate(1_000_000)
  const reply = await validate(secret)
  assertError(reply, 503, 'UNAVAILABLE')
  assert.equal(reply.headers['retry-after'], '1')
  assert.equal((await validate(bridgeSecret)).status, 200, 'a secret of the settings is')
  assertError(await validate('wbs_'), 401, 'BRIDGE_SECRET_REQUIRED')
  await eventually(() => stream.reply.closed)
  assert.equal(kept.reply.destroyed, false)
  await sql`ALTER TABLE unreadable RENAME TO applications`.execute(app.ctx.db)
  assert.equal((await validate(secret)).status, 200)
})
