import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { call, type Nodes, needsBoth, needsPostgres, redisUrl, registerAt, startNodes, validateAt } from './nodes.ts'

const lifetime = 5_000
/** Probes come every 10 ms, and this machine may be busy. */
const slack = 300

describe('a session that is ended on one node, without Redis', needsPostgres, () => {
  test('is refused there at once and by the other node within the lifetime of a copy', async (t) => {
    const nodes = await startNodes(2)
    t.after(nodes.stop)
    const measured = await revokeMany(nodes, 50, lifetime)
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
    const measured = await revokeMany(nodes, 50, 1_000)
    report(t, 'with Redis', measured)
  })

  test('although that node is cut off from Redis, is refused by the other one within the lifetime of a copy', async (t) => {
    const measured = await revokeTogether(nodes, 10, () => proxies[0]!.blackhole())
    report(t, 'the ending node cut off from Redis', measured)
    assert.ok(Math.max(...measured) > 1_000, 'the message to the other node was lost')
    await heal(proxies[0]!)
  })

  test('is refused by a node that is cut off from Redis as soon as it notices that it is deaf', async (t) => {
    const measured = await revokeTogether(nodes, 10, () => proxies[1]!.blackhole())
    report(t, 'the other node cut off from Redis', measured)
    assert.ok(Math.max(...measured) <= 2_500)
    await heal(proxies[1]!)
    await revokeMany(nodes, 5, 1_000)
  })

  async function heal(proxy: FaultProxy): Promise<void> {
    proxy.heal()
    for (const url of nodes.urls) await untilReady(url, 'ok')
  }
})

/** Waits until the node reports this of its store, and until it hears its own beats again. */
async function untilReady(url: string, store: string): Promise<void> {
  const started = performance.now()
  while ((await call(`${url}/health/ready`)).json.checks.store !== store) {
    assert.ok(performance.now() - started < lifetime)
    await sleep(50)
  }
  await sleep(1_000)
}

function report(t: TestContext, what: string, measured: number[]): void {
  const sorted = measured.map(Math.round).sort((left, right) => left - right)
  const middle = sorted[Math.floor(sorted.length / 2)]
  t.diagnostic(`${what}: ${sorted.length} revocations, median ${middle} ms, longest ${sorted.at(-1)} ms`)
}

/** How long after each logout the other node still answered 200; one after the other. */
async function revokeMany(nodes: Nodes, count: number, limit: number): Promise<number[]> {
  const measured: number[] = []
  let served = 0
  for (let round = 0; round < count; round++) {
    const bearer = await openSession(nodes)
    if ((await validateAt(nodes.urls[1]!, bearer)).json.cacheSource === 'memory') served++
    measured.push(await revoke(nodes, bearer, limit))
  }
  assert.ok(served > count / 2, 'the other node had a copy in its memory')
  return measured
}

/** The same for sessions that are ended together, right after something was broken. */
async function revokeTogether(nodes: Nodes, count: number, breakIt: () => void): Promise<number[]> {
  const bearers = await Promise.all(Array.from({ length: count }, () => openSession(nodes)))
  breakIt()
  return Promise.all(bearers.map((bearer) => revoke(nodes, bearer, lifetime + slack)))
}

/** A session of which both nodes have a copy. */
async function openSession({ urls }: Nodes): Promise<string> {
  const { bearer } = await registerAt(urls[0]!)
  for (const url of urls) assert.equal((await validateAt(url, bearer)).status, 200)
  return bearer
}

async function revoke({ urls: [here, there] }: Nodes, bearer: string, limit: number): Promise<number> {
  const { status } = await call(`${here}/auth/logout`, { method: 'POST', headers: { 'x-session-id': bearer } })
  const ended = performance.now()
  assert.equal(status, 200)
  assert.equal((await validateAt(here!, bearer)).status, 401)
  while ((await validateAt(there!, bearer)).status !== 401) {
    assert.ok(performance.now() - ended < limit, `still served after ${limit} ms`)
    await sleep(10)
  }
  return performance.now() - ended
}
