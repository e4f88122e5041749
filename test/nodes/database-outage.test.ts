// Setup: alone
// Checks bounds of real time.
import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../support/eventually.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { fixedWait } from '../support/fixed-wait.ts'
import { type PostgresServer, skipWithoutPostgres, startPostgres } from '../support/postgres.ts'
import { loadSettings, startLoad } from './load.ts'
import { type Answer, call, loginAt, newDatabase, registerAt, startNodes } from './nodes.ts'

interface Timed extends Answer {
  took: number
}

async function timed(request: Promise<Answer>): Promise<Timed> {
  const started = performance.now()
  const answer = await request
  return { ...answer, took: performance.now() - started }
}

function assertUnavailable({ status, json, headers, took }: Timed, limit: number): void {
  assert.equal(status, 503)
  assert.equal(json.code, 'UNAVAILABLE')
  assert.ok(Number(headers.get('retry-after')) > 0)
  assert.ok(took < limit, `${took}`)
}

describe('a service whose PostgreSQL', { skip: skipWithoutPostgres() }, () => {
  let server: PostgresServer
  before(async () => {
    server = await startPostgres()
  })
  after(() => server?.stop())

  test('is killed under load says so within two seconds, lives on, and works again within five of its return', async (t) => {
    const nodes = await startNodes(2, loadSettings, await newDatabase(server.url))
    t.after(nodes.stop)
    const ada = await registerAt(nodes.urls[0]!)
    const load = await startLoad(nodes.urls)
    t.after(load.stop)
    for (let round = 0; round < 3; round++) {
      await fixedWait(400, 'the outage begins under load')
      await server.kill()
      for (const url of nodes.urls) await assertDegraded(url, ada)
      await server.restart()
      const back = performance.now()
      for (const url of nodes.urls) await untilWell(url, ada, back)
      t.diagnostic(`works again ${Math.round(performance.now() - back)} ms after the return`)
    }
    await load.stop()
    t.diagnostic(`answers under load: ${JSON.stringify(load.counts)}`)
    assert.deepEqual(
      Object.keys(load.counts).filter((status) => status !== '200' && status !== '503'),
      [],
    )
    for (const service of nodes.services) assert.doesNotMatch(service.output(), /uncaught error/)
  })

  async function assertDegraded(url: string, user: Parameters<typeof loginAt>[1]): Promise<void> {
    assertUnavailable(await timed(loginAt(url, user)), 2_000)
    assert.equal((await call(`${url}/health/live`)).status, 200)
    // The database probe's result is cached for a second.
    await eventually(async () => (await call(`${url}/health/ready`)).status !== 200, 2_000)
    const ready = await call(`${url}/health/ready`)
    assert.equal(ready.status, 503)
    assert.equal(ready.json.checks.database, 'degraded')
    assertUnavailable(await timed(loginAt(url, user)), 2_000)
  }

  async function untilWell(url: string, user: Parameters<typeof loginAt>[1], since: number): Promise<void> {
    const isWell = async () =>
      (await loginAt(url, user)).status === 200 && (await call(`${url}/health/ready`)).status === 200
    while (!(await isWell())) {
      assert.ok(performance.now() - since < 5_000)
      await sleep(50)
    }
  }

  async function startBehindProxy(t: TestContext): Promise<{ url: string; proxy: FaultProxy }> {
    const proxy = await startFaultProxy(Number(new URL(server.url).port))
    const nodes = await startNodes(1, {}, await newDatabase(proxy.through(server.url)))
    t.after(async () => {
      proxy.heal()
      await nodes.stop()
      await proxy.stop()
    })
    return { url: nodes.urls[0]!, proxy }
  }

  test('answers half a second late passes that on to those who ask it, and to nobody else', async (t) => {
    const { url, proxy } = await startBehindProxy(t)
    const people = await Promise.all(Array.from({ length: 25 }, () => registerAt(url)))
    proxy.latency(250)
    const probes: Timed[] = []
    const done = new AbortController()
    const probing = (async () => {
      while (!done.signal.aborted) {
        probes.push(await timed(call(`${url}/health/live`)))
        await sleep(50)
      }
    })()
    const answers = await Promise.all(people.map((user) => timed(loginAt(url, user))))
    done.abort()
    await probing
    const slowest = Math.round(Math.max(...answers.map(({ took }) => took)))
    const liveness = Math.round(Math.max(...probes.map(({ took }) => took)))
    t.diagnostic(`25 sign-ins end within ${slowest} ms, liveness within ${liveness} ms`)
    assert.ok(liveness < 500)
    for (const answer of answers) if (answer.status !== 200) assertUnavailable(answer, 15_000)
    assert.ok(answers.some(({ status }) => status === 200))
    assert.ok(slowest < 15_000)
    proxy.heal()
    await untilWell(url, people[0]!, performance.now())
  })

  test('answers after seconds delays neither probes nor metrics, and pages by no more than two seconds', async (t) => {
    const { url, proxy } = await startBehindProxy(t)
    proxy.latency(1_500)
    const slowest = { live: 0, metrics: 0, page: 0 }
    const until = performance.now() + 4_000
    while (performance.now() < until) {
      const [live, metrics, page] = await Promise.all(
        ['/health/live', '/metrics', '/login'].map(async (path) => {
          const started = performance.now()
          const { status, body } = await fetch(url + path)
          await body?.cancel()
          assert.equal(status, 200, path)
          return performance.now() - started
        }),
      )
      slowest.live = Math.max(slowest.live, live!)
      slowest.metrics = Math.max(slowest.metrics, metrics!)
      slowest.page = Math.max(slowest.page, page!)
      await sleep(50)
    }
    t.diagnostic(JSON.stringify(slowest))
    assert.ok(slowest.live < 500 && slowest.metrics < 500 && slowest.page < 3_000, JSON.stringify(slowest))
    proxy.heal()
  })

  test('answers nothing any more is given up within four seconds, then at once, and is found again', async (t) => {
    const { url, proxy } = await startBehindProxy(t)
    const ada = await registerAt(url)
    proxy.blackhole()
    const answers = await Promise.all(Array.from({ length: 20 }, () => timed(loginAt(url, ada))))
    t.diagnostic(`given up within ${Math.round(Math.max(...answers.map(({ took }) => took)))} ms`)
    for (const answer of answers) assertUnavailable(answer, 4_000)
    const late = await Promise.all(Array.from({ length: 20 }, () => timed(loginAt(url, ada))))
    for (const answer of late) assertUnavailable(answer, 500)
    assert.equal((await call(`${url}/health/live`)).status, 200)
    assert.equal((await call(`${url}/health/ready`)).status, 503)
    proxy.heal()
    await untilWell(url, ada, performance.now())
  })
})
