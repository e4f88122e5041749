// Setup: alone
// Checks bounds of real time.
import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { fixedWait } from '../support/fixed-wait.ts'
import { call, type Nodes, needsBoth, needsPostgres, redisUrl, registerAt, startNodes, validateAt } from './nodes.ts'

/** The maximum delay of a revocation in milliseconds, with and without Redis, even if messages are lost. */
const maxDelay = 1_000
const maxReturn = 5_000

describe('a session that is ended on one node, without Redis', needsPostgres, () => {
  test('is refused there at once and by the other node within a second', async (t) => {
    const nodes = await startNodes(2)
    t.after(nodes.stop)
    const measured = await revokeMany(nodes, 50)
    report(t, 'without Redis', measured)
  })
})

describe('a session that is ended on one node, with Redis', needsBoth, () => {
  let proxies: FaultProxy[] = []
  let nodes: Nodes
  before(async () => {
    const port = Number(new URL(redisUrl).port)
    proxies = [await startFaultProxy(port), await startFaultProxy(port)]
    nodes = await startNodes(2, (node) => ({ REDIS_URL: proxies[node]!.through(redisUrl) }))
  })
  after(async () => {
    await nodes?.stop()
    for (const proxy of proxies) await proxy.stop()
  })

  test('is refused there at once and by the other node within a second', async (t) => {
    const measured = await revokeMany(nodes, 50)
    report(t, 'with Redis', measured)
  })

  for (const [node, name] of ['the node that ends it', 'the other node'].entries())
    test(`is refused within a second even if ${name} is cut off from Redis`, async (t) => {
      const measured = await revokeTogether(nodes, 10, () => proxies[node]!.blackhole())
      report(t, `${name} cut off from Redis`, measured)
      await heal(proxies[node]!)
      await revokeMany(nodes, 5)
    })

  async function heal(proxy: FaultProxy): Promise<void> {
    proxy.heal()
    for (const url of nodes.urls) await untilReady(url, 'ok')
  }
})

/** Waits until the node reports this store state and receives its own heartbeats again. */
async function untilReady(url: string, store: string): Promise<void> {
  const started = performance.now()
  while ((await call(`${url}/health/ready`)).json.checks.store !== store) {
    assert.ok(performance.now() - started < maxReturn)
    await sleep(50)
  }
  await fixedWait(1_000, 'no response shows whether a node hears its own beats')
}

function report(t: TestContext, what: string, measured: number[]): void {
  const sorted = measured.map(Math.round).sort((left, right) => left - right)
  const middle = sorted[Math.floor(sorted.length / 2)]
  t.diagnostic(`${what}: ${sorted.length} revocations, median ${middle} ms, longest ${sorted.at(-1)} ms`)
}

/** For each of several logouts, how many milliseconds the other node kept responding with 200. */
async function revokeMany(nodes: Nodes, count: number): Promise<number[]> {
  const measured: number[] = []
  let served = 0
  for (let round = 0; round < count; round++) {
    const sessionToken = await openSession(nodes)
    if ((await validateAt(nodes.urls[1]!, sessionToken)).json.cacheSource === 'memory') served++
    measured.push(await revoke(nodes, sessionToken))
  }
  assert.ok(served > count / 2, 'the other node had a copy in its memory')
  return measured
}

/** The same delays for sessions that end concurrently, immediately after a fault. */
async function revokeTogether(nodes: Nodes, count: number, breakIt: () => void): Promise<number[]> {
  const bearers = await Promise.all(Array.from({ length: count }, () => openSession(nodes)))
  breakIt()
  return Promise.all(bearers.map((sessionToken) => revoke(nodes, sessionToken)))
}

/** A session that both nodes have cached. */
async function openSession({ urls }: Nodes): Promise<string> {
  const { sessionToken } = await registerAt(urls[0]!)
  for (const url of urls) assert.equal((await validateAt(url, sessionToken)).status, 200)
  return sessionToken
}

async function revoke({ urls: [here, there] }: Nodes, sessionToken: string): Promise<number> {
  const { status } = await call(`${here}/auth/logout`, { method: 'POST', headers: { 'x-session-id': sessionToken } })
  const ended = performance.now()
  assert.equal(status, 200)
  assert.equal((await validateAt(here!, sessionToken)).status, 401)
  while ((await validateAt(there!, sessionToken)).status !== 401) {
    assert.ok(performance.now() - ended < maxDelay, `still served after ${maxDelay} ms`)
    await sleep(10)
  }
  return performance.now() - ended
}
