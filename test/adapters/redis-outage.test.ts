// Setup: alone
// Checks bounds of real time.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRedisCache } from '../../src/adapters/cache/redis.ts'
import { createRateLimitStore } from '../../src/adapters/rate-limit/index.ts'
import { openRedis, type RedisConnection, RedisUnavailable } from '../../src/adapters/redis/connect.ts'
import { eventually } from '../support/eventually.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { fixedWait } from '../support/fixed-wait.ts'
import { type RedisServer, skipWithoutRedis, startRedis } from '../support/redis.ts'

async function duration(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** How many milliseconds the work took beyond a timer set to the command timeout. A busy machine delays both. */
async function beyondTheLimit(work: () => Promise<unknown>): Promise<number> {
  const [took, bare] = await Promise.all([duration(work), duration(() => sleep(100))])
  return took - bare
}

/**
 * Without the 100 ms timeout, a call would wait forever. The tolerance is large because a busy machine notices the
 * timeout late.
 */
const slack = 500

async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n++) await work()
}

describe('Redis under trouble', { skip: skipWithoutRedis() }, () => {
  let server: RedisServer
  let redis: RedisConnection
  let states: boolean[]
  before(async () => {
    server = await startRedis()
  })
  after(() => server.stop())
  beforeEach(async () => {
    states = []
    redis = await openRedis({ url: server.url, onStateChange: (up) => states.push(up) })
  })
  afterEach(() => redis.close())

  const refused = () => assert.rejects(redis.command('GET', 'x'), RedisUnavailable)

  test('killed under use: calls fail quickly, at once when the circuit is open, and work again by themselves', async () => {
    const cache = createRedisCache(redis)
    const losses: unknown[] = []
    const limits = createRateLimitStore({ redis, onDown: (error) => losses.push(error) })
    assert.equal((await limits.hit('ada', 60_000)).degraded, false)

    const underWay = Array.from({ length: 50 }, () => cache.get('x').catch(() => {}))
    const ended = beyondTheLimit(() => Promise.all(underWay))
    await server.kill()
    assert.ok((await ended) < slack)
    await eventually(() => !redis.isUp())
    assert.ok((await duration(() => times(20, refused))) < 20 * 50)
    assert.deepEqual(
      (await Promise.all([limits.hit('ada', 60_000), limits.hit('ada', 60_000)])).map((hit) => hit.degraded),
      [true, true],
    )
    assert.equal(losses.length, 1)

    await fixedWait(1_500, 'attempts to reconnect must fail')
    await server.restart()
    await eventually(() => redis.isUp(), 5_000)
    assert.equal((await limits.hit('ada', 60_000)).degraded, false)
    assert.equal(await cache.get('x'), undefined)
    assert.deepEqual(states, [true, false, true])
  })

  test('frozen: each call ends within its limit, and after five the circuit is open', async () => {
    server.pause()
    try {
      for (let n = 1; n <= 5; n++) {
        assert.equal(redis.isUp(), true)
        const beyond = await beyondTheLimit(refused)
        assert.ok(beyond > -50 && beyond < slack, `${beyond}`)
      }
      assert.equal(redis.isUp(), false)
      assert.ok((await duration(() => times(20, refused))) < 20 * 50)
    } finally {
      server.resume()
    }
    await eventually(() => redis.isUp(), 5_000)
    await redis.command('PING')
    assert.deepEqual(states, [true, false, true])
  })

  test('frozen under a crowd: all calls end within the limit together', async () => {
    server.pause()
    try {
      const crowd = () => Promise.all(Array.from({ length: 500 }, () => redis.command('GET', 'x').catch(() => {})))
      assert.ok((await beyondTheLimit(crowd)) < slack)
      assert.equal(redis.isUp(), false)
    } finally {
      server.resume()
    }
  })

  test('a single slow answer does not open the circuit, and a good one makes the count start again', async () => {
    for (let n = 0; n < 8; n++) {
      if (n % 4 === 3) await redis.command('PING')
      else {
        server.pause()
        await refused()
        server.resume()
        await sleep(20)
      }
    }
    assert.deepEqual(states, [true])
  })

  test('behind a network that swallows packets the connection is given up for a new one', async () => {
    const proxy = await startFaultProxy(Number(new URL(server.url).port))
    const far = await openRedis({ url: proxy.through(server.url) })
    try {
      proxy.blackhole()
      for (let n = 0; n < 5; n++) await assert.rejects(far.command('GET', 'x'))
      assert.equal(far.isUp(), false)
      await fixedWait(2_000, 'attempts to reconnect must fail')
      proxy.heal()
      await eventually(() => far.isUp(), 5_000)
      await far.command('PING')
    } finally {
      await far.close()
      await proxy.stop()
    }
  })

  test('a connection that breaks while nobody uses it is noticed at once', async () => {
    await server.restart()
    await eventually(() => states.length > 1)
    await eventually(() => redis.isUp(), 5_000)
    assert.deepEqual(states, [true, false, true])
  })

  test('a server that accepts connections and says nothing holds up neither the start nor the return', async () => {
    let isSilent = true
    const relay = createServer((socket) => {
      socket.on('error', () => {})
      if (isSilent) socket.resume()
      else socket.pipe(connect(Number(new URL(server.url).port), '127.0.0.1')).pipe(socket)
    })
    await once(relay.listen(0, '127.0.0.1'), 'listening')
    const { port } = relay.address() as AddressInfo
    const far = await openRedis({ url: `redis://127.0.0.1:${port}` })
    try {
      assert.equal(far.isUp(), false)
      isSilent = false
      await eventually(() => far.isUp(), 5_000)
    } finally {
      await far.close()
      relay.close()
    }
  })

  test('an error that Redis replies is passed on and counts as an answer', async () => {
    for (let n = 0; n < 10; n++) await assert.rejects(redis.command('NO-SUCH-COMMAND'), /ERR unknown command/)
    assert.deepEqual(states, [true])
  })

  test('a start without Redis waits only a moment, and the connection comes with the server', async () => {
    await server.kill()
    const changes: boolean[] = []
    let late: RedisConnection | undefined
    assert.ok(
      (await duration(async () => {
        late = await openRedis({ url: server.url, onStateChange: (up) => changes.push(up) })
      })) < 2_000,
    )
    assert.deepEqual(changes, [false])
    await server.restart()
    await eventually(() => late?.isUp() ?? false, 5_000)
    assert.deepEqual(changes, [false, true])
    await late?.close()
    await eventually(() => redis.isUp(), 5_000)
  })
})
