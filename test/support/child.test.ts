import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from './child.ts'

test('the service starts on a free port, answers, and ends cleanly when asked', async () => {
  const service = await startService({ NODE_ENV: 'test' })
  assert.equal((await fetch(`${service.url}/health/live`)).status, 200)
  assert.equal(await service.stop(), 0)
  await assert.rejects(fetch(`${service.url}/health/live`))
})

test('a service that refuses to start is reported with what it said', async () => {
  await assert.rejects(startService({ SESSION_IDLE_TTL: 'soon' }), /ended with code [1-9]\d*:\n.*SESSION_IDLE_TTL/s)
})
