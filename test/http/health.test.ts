import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { version } from '../../src/lib/version.ts'
import { eventually } from '../support/eventually.ts'
import { type Reply, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const paths = ['/health', '/health/live', '/health/ready']
const checks = { database: 'ok', migrations: 'ok', store: 'ok', queue: 'ok' }

test('a working service reports this to anyone, and nothing else', async () => {
  for (const [url, more] of [
    ['/health', {}],
    ['/health/live', {}],
    ['/health/ready', { version, checks }],
  ] as const) {
    for (const headers of [
      {},
      { 'x-session-id': 'ses_nobody', cookie: 'session_id=nobody' },
      { origin: 'https://evil.example' },
    ]) {
      const { status, json } = await app.get(url, { headers })
      assert.equal(status, 200)
      assert.deepEqual(json, { success: true, status: 'ok', ...more }, url)
    }
    const head = await app.call('HEAD', url)
    assert.deepEqual([head.status, head.text], [200, ''])
  }
})

test('without its database the service is alive and not to be used; the database is asked at most once a second', async () => {
  assert.equal((await app.get('/health')).status, 200)
  await app.database.close()
  assert.equal((await app.get('/health')).status, 200, 'remembered for a second')
  await eventually(async () => (await app.get('/health')).status !== 200)
  for (const url of paths) {
    const reply = await app.get(url)
    if (url === '/health/live') assert.deepEqual([reply.status, reply.json], [200, { success: true, status: 'ok' }])
    else assertUnavailable(reply, url === '/health/ready')
  }
  const head = await app.call('HEAD', '/health/ready')
  assert.deepEqual([head.status, head.text], [503, ''])
})

function assertUnavailable({ status, json, headers }: Reply, withChecks: boolean): void {
  assert.equal(status, 503)
  const { checks: found, version: release, ...rest } = json
  assert.equal(release, withChecks ? version : undefined)
  assert.deepEqual(rest, {
    success: false,
    error: 'Service temporarily unavailable',
    code: 'UNAVAILABLE',
    request_id: headers['x-request-id'],
    status: 'unavailable',
  })
  // The job queue uses the same database and detects the outage separately.
  if (withChecks) assert.deepEqual({ ...found, queue: 'ok' }, { ...checks, database: 'degraded' })
  else assert.equal(found, undefined)
}
