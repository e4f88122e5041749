import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type App, createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/load.ts'
import { createLogger } from '../../src/lib/log.ts'
import { startTestApp } from '../support/test-app.ts'

test('counts of the sensitive classes survive a restart', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'wardenry-limits-'))
  const env = { NODE_ENV: 'test', DATA_DIR: dataDir, RATE_LIMIT_LOGIN: '6/1h', RATE_LIMIT_READ: '6/1h' }
  const whileRunning = async (look: (app: App) => Promise<void>) => {
    const app = await createApp({ config: loadConfig(env), log: createLogger('silent', [], () => {}) })
    await look(app).finally(() => app.stop())
  }
  try {
    await whileRunning(async (app) => {
      for (const left of [5, 4, 3]) assert.equal(await leftAfter(app, 'POST', '/auth/login'), left)
      for (const left of [5, 4, 3]) assert.equal(await leftAfter(app, 'GET', '/health/live'), left)
    })
    await whileRunning(async (app) => {
      assert.equal(await leftAfter(app, 'POST', '/auth/login'), 2)
      assert.equal(await leftAfter(app, 'GET', '/health/live'), 5, 'reads are counted by the process alone')
    })
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})

async function leftAfter({ http }: App, method: 'GET' | 'POST', url: string): Promise<number> {
  const { headers } = await http.inject({ method, url, remoteAddress: '203.0.113.9' })
  return Number(headers['x-ratelimit-remaining'])
}

test('without its store a node counts alone, at half the limit, and is neither open nor closed', async () => {
  const app = await startTestApp({ env: { RATE_LIMIT_LOGIN: '10/1h', RATE_LIMIT_REGISTRATION: '1/1h' } })
  const from = '203.0.113.9'
  try {
    await app.database.query('ALTER TABLE rate_limits RENAME TO lost', [])
    const replies = await Promise.all(Array.from({ length: 40 }, () => app.post('/auth/login', {}, { from })))
    assert.equal(replies.filter(({ status }) => status === 400).length, 5)
    assert.equal(replies.filter(({ status }) => status === 429).length, 35)
    assert.equal((await app.post('/auth/register', {}, { from })).status, 400, 'half of one is one')
    assert.equal((await app.post('/auth/register', {}, { from })).status, 429)
    assert.equal((await app.get('/health/live', { from })).status, 200)
    assert.equal(app.logged().match(/rate limits are counted by this node only/g)?.length, 1)
    await app.database.query('ALTER TABLE lost RENAME TO rate_limits', [])
    assert.equal(
      (await app.post('/auth/login', {}, { from })).headers['x-ratelimit-remaining'],
      '9',
      'counted in the store again',
    )
  } finally {
    await app.stop()
  }
})
