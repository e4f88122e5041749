import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { minute } from '../../src/lib/time.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { type Superadmin, superadminOf } from './support.ts'

let app: TestApp
let superadmin: Superadmin
before(async () => {
  app = await startTestApp({ env: { ALLOWED_REDIRECTS: 'https://wide.example.com' } })
  superadmin = await superadminOf(app)
})
after(() => app.stop())

const mayReturnTo = async (address: string) =>
  (await app.get('/login', { query: { return_to: address } })).status !== 400

test('an address that was written by hand in another form is not accepted, and others still are', async () => {
  const { id } = await superadmin.create('hand', { return_addresses: ['https://hand.example.com', 'hand://'] })
  const other = await superadmin.create('other', { return_addresses: ['https://other.example.com'] })
  for (const address of ['hand', 'javascript://', 'ws://', 'https://hand.example.com/', 'https://*.example.com']) {
    await sql`UPDATE application_addresses SET address = ${address} WHERE application_id = ${id} AND position = 0`.execute(
      app.ctx.db,
    )
    await superadmin.call('PUT', `/${other.id}`, { note: address })
    assert.equal(await mayReturnTo('https://other.example.com'), true, address)
    assert.equal(await mayReturnTo('hand://x'), true, address)
    for (const wrong of ['javascript://x', 'ws://evil.test', 'https://hand.example.com/', 'https://x.example.com/'])
      assert.equal(await mayReturnTo(wrong), false, wrong)
  }
})

test('a change takes effect even if the version in the database was lowered', async () => {
  const { id } = await superadmin.create('lowered', { return_addresses: ['https://lowered.example.com'] })
  assert.equal(await mayReturnTo('https://lowered.example.com'), true)
  await sql`UPDATE application_version SET version = 1`.execute(app.ctx.db)
  for (const [path, expected] of [
    ['disable', false],
    ['enable', true],
  ] as const) {
    await superadmin.call('POST', `/${id}/${path}`)
    assert.equal(await mayReturnTo('https://lowered.example.com'), expected, path)
  }
})

test('a change that was not announced takes effect within a minute', async (t) => {
  await superadmin.create('quiet', { return_addresses: ['https://quiet.example.com'] })
  assert.equal(await mayReturnTo('https://quiet.example.com'), true)
  await sql`TRUNCATE application_addresses`.execute(app.ctx.db)
  const now = performance.now.bind(performance)
  t.mock.method(performance, 'now', () => now() + minute)
  assert.equal(await mayReturnTo('https://quiet.example.com'), false)
})

test('while the applications cannot be read, none is accepted, and disabled ones stay rejected', async () => {
  const { id } = await superadmin.create('shop', {
    return_addresses: ['https://wide.example.com/shop', 'https://wide.example.com/disabled'],
  })
  await superadmin.call('POST', `/${id}/disable`)
  await superadmin.create('stored', {
    return_addresses: ['https://stored.example.com', 'https://wide.example.com/stored'],
    origins: ['https://stored.example.com'],
  })
  const accepted = async () =>
    Promise.all(
      ['wide.example.com', 'wide.example.com/stored', 'wide.example.com/shop', 'stored.example.com'].map((address) =>
        mayReturnTo(`https://${address}`),
      ),
    )
  const mayCall = async () => {
    const { headers } = await app.get('/auth/session/current', { headers: { origin: 'https://stored.example.com' } })
    return headers['access-control-allow-origin'] !== undefined
  }
  assert.deepEqual([await accepted(), await mayCall()], [[true, true, false, true], true])
  await sql`ALTER TABLE applications RENAME TO unreadable`.execute(app.ctx.db)
  await app.ctx.applications.invalidate(1_000_000)
  assert.deepEqual([await accepted(), await mayCall()], [[true, true, false, false], false])
  await sql`ALTER TABLE unreadable RENAME TO applications`.execute(app.ctx.db)
  assert.deepEqual([await accepted(), await mayCall()], [[true, true, false, true], true])
})
