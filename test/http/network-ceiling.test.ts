import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../support/test-app.ts'

test('the networks of one IPv6 customer together get ten times the limit, locally and in the shared store', async () => {
  const app = await startTestApp({ env: { RATE_LIMIT_READ: '2/1h', RATE_LIMIT_LOGIN: '2/1h' } })
  try {
    for (const [method, url] of [
      ['GET', '/health/live'],
      ['POST', '/auth/login'],
    ] as const) {
      const statuses: number[] = []
      for (let network = 1; network <= 24; network++) {
        const body =
          method === 'POST' ? { email: `nobody.${network}@example.com`, password: 'wrong password' } : undefined
        statuses.push((await app.call(method, url, { from: `2001:db8:7:${network}::1`, body })).status)
      }
      const passed = statuses.filter((status) => status !== 429).length
      assert.equal(passed, 20, `${url}: ${statuses}`)
      assert.notEqual((await app.call(method, url, { from: '2001:db8:8:1::1', body: {} })).status, 429)
    }
  } finally {
    await app.stop()
  }
})
