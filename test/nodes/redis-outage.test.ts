// Setup: alone
// Checks bounds of real time.
import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fixedWait } from '../support/fixed-wait.ts'
import { person } from '../support/people.ts'
import { releaseTogether } from '../support/races.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'
import { type Load, loadSettings, share, startLoad } from './load.ts'
import { call, type Nodes, needsBoth, newAddress, registerAt, startNodes, tally, validateAt } from './nodes.ts'

describe('two nodes whose Redis', needsBoth, () => {
  let redis: RedisServer
  let nodes: Nodes
  before(async () => {
    redis = await startRedis()
    nodes = await startNodes(2, { REDIS_URL: redis.url, RATE_LIMIT_LOGIN: '10/15m', ...loadSettings })
  })
  after(async () => {
    await nodes?.stop()
    await redis?.stop()
  })

  const outages = [
    { name: 'is killed', begin: () => redis.kill(), end: () => redis.restart() },
    { name: 'is frozen', begin: async () => redis.pause(), end: async () => redis.resume() },
  ]
  for (const { name, begin, end } of outages) {
    test(`${name} lose no session, stay strict, keep the bound without Redis, and recover by themselves`, async (t) => {
      const ada = await registerAt(nodes.urls[0]!)
      const load = await startLoad(nodes.urls)
      t.after(load.stop)
      await fixedWait(1_000, 'the outage begins under load')
      await begin()
      try {
        await fixedWait(2_500, 'the load goes on during the outage')
        tell(t, `Redis ${name}`, load)
        for (const url of nodes.urls) assert.equal((await validateAt(url, ada.sessionToken)).status, 200)
        await assertStrict()
        await assertEnds(5_000)
      } finally {
        await end()
      }
      const back = performance.now()
      for (const url of nodes.urls) await untilStoreIs(url, 'ok')
      t.diagnostic(`back after ${Math.round(performance.now() - back)} ms`)
      assert.ok(performance.now() - back < 5_000)
      await fixedWait(1_000, 'a node refuses copies from around the outage')
      await assertEnds(1_000)
      await load.stop()
      assert.ok(share(load.counts, (status) => status !== 200) < 0.01)
    })
  }

  function tell(t: TestContext, when: string, load: Load): void {
    t.diagnostic(`${when}: ${JSON.stringify(load.counts)}, longest answer ${Math.round(load.longest())} ms`)
    assert.ok(share(load.counts, (status) => status !== 200) < 0.01)
    assert.ok(load.longest() < 2_000)
  }

  /** Each node counts separately, with half the limit. */
  async function assertStrict(): Promise<void> {
    const from = newAddress()
    for (const url of nodes.urls) {
      const guess = { method: 'POST', url: `${url}/auth/login`, headers: { 'x-forwarded-for': from } }
      const replies = await releaseTogether(Array.from({ length: 20 }, () => ({ ...guess, body: person() })))
      assert.deepEqual(tally(replies), { 401: 5, 429: 15 })
    }
  }

  async function assertEnds(limit: number): Promise<void> {
    const [here, there] = nodes.urls as [string, string]
    const { sessionToken } = await registerAt(here)
    await validateAt(there, sessionToken)
    assert.equal(
      (await call(`${here}/auth/logout`, { method: 'POST', headers: { 'x-session-id': sessionToken } })).status,
      200,
    )
    const started = performance.now()
    assert.equal((await validateAt(here, sessionToken)).status, 401)
    while ((await validateAt(there, sessionToken)).status !== 401) {
      assert.ok(performance.now() - started < limit)
      await sleep(10)
    }
  }

  async function untilStoreIs(url: string, state: string): Promise<void> {
    for (;;) {
      const { json } = await call(`${url}/health/ready`)
      if (json.checks.store === state) return
      await sleep(50)
    }
  }
})
