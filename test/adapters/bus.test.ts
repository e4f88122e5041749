import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { packMessage } from '../../src/adapters/bus/handlers.ts'
import { type BusOptions, createBus } from '../../src/adapters/bus/index.ts'
import type { Bus } from '../../src/adapters/bus/port.ts'
import { createPostgresBus, postgresChannel } from '../../src/adapters/bus/postgres.ts'
import { openRedis } from '../../src/adapters/redis/connect.ts'
import { eventually } from '../support/eventually.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { fixedWait } from '../support/fixed-wait.ts'
import { type PostgresServer, skipWithoutPostgres, startPostgres } from '../support/postgres.ts'
import { type RedisServer, skipWithoutRedis, startRedis } from '../support/redis.ts'
import { busContract, type OpenedBus } from './bus.contract.ts'

const cleanup: (() => Promise<void>)[] = []
const cleanUp = async () => {
  for (const step of cleanup.splice(0).reverse()) await step()
}

async function openBus(options: Pick<BusOptions, 'redis' | 'postgres'>): Promise<OpenedBus> {
  const errors: unknown[] = []
  const bus = await createBus({ ...options, nodeId: randomUUID(), onError: (error) => errors.push(error) })
  cleanup.push(() => bus.close())
  return { bus, errors }
}

function recording(bus: Bus, channel: string) {
  const record = { heard: [] as string[], reconnects: 0 }
  bus.subscribe(channel, (text) => record.heard.push(text))
  bus.onReconnect(() => {
    record.reconnects += 1
  })
  return record
}

describe('the bus of one process', () => {
  after(cleanUp)
  busContract(async () => [await openBus({})])
})

describe('the bus on Redis', { skip: skipWithoutRedis() }, () => {
  let server: RedisServer
  before(async () => {
    server = await startRedis()
  })
  after(async () => {
    await cleanUp()
    await server.stop()
  })

  const openNode = async (url = server.url) => {
    const redis = await openRedis({ url, commandMs: 5_000 })
    cleanup.push(() => redis.close())
    return openBus({ redis })
  }

  busContract(() => Promise.all([openNode(), openNode(), openNode()]))

  test('heartbeats stop while Redis is down; after its return, nodes receive messages again and learn of the gap', async () => {
    const [here, there] = await Promise.all([openNode(), openNode()])
    const record = recording(there.bus, 'news')
    await eventually(() => there.bus.sinceLastBeat() < 500)
    await server.kill()
    await eventually(() => there.bus.sinceLastBeat() > 1_000)
    await assert.rejects(here.bus.publish('news', 'lost'))
    assert.equal(record.reconnects, 0)
    await server.restart()
    await eventually(() => there.bus.sinceLastBeat() < 500 && here.bus.sinceLastBeat() < 500, 5_000)
    assert.equal(record.reconnects, 1)
    await here.bus.publish('news', 'again')
    await eventually(() => record.heard.length > 0)
    assert.deepEqual(record.heard, ['again'])
  })

  test('the last heartbeat ages while Redis is frozen', async () => {
    const { bus } = await openNode()
    await eventually(() => bus.sinceLastBeat() < 500)
    server.pause()
    try {
      await fixedWait(1_200, 'no beat may arrive')
      assert.ok(bus.sinceLastBeat() > 1_000, `${bus.sinceLastBeat()}`)
    } finally {
      server.resume()
    }
    await eventually(() => bus.sinceLastBeat() < 500, 5_000)
  })

  describe('through a bad network', () => {
    let proxy: FaultProxy
    before(async () => {
      proxy = await startFaultProxy(Number(new URL(server.url).port))
    })
    after(() => proxy.stop())

    // Only the subscription uses the proxy. Commands go directly to the server.
    async function openHearingThroughProxy(): Promise<Bus> {
      const [direct, proxied] = await Promise.all([
        openRedis({ url: server.url, commandMs: 5_000 }),
        openRedis({ url: proxy.through(server.url) }),
      ])
      cleanup.push(
        () => direct.close(),
        () => proxied.close(),
      )
      const { bus } = await openBus({ redis: { ...direct, listen: proxied.listen } })
      await eventually(() => bus.sinceLastBeat() < 500)
      return bus
    }

    test('a silent subscription is replaced, and the node learns of the gap', async () => {
      const bus = await openHearingThroughProxy()
      const record = recording(bus, 'news')
      proxy.blackhole()
      await eventually(() => bus.sinceLastBeat() === Number.POSITIVE_INFINITY, 4_000)
      await bus.publish('news', 'lost')
      proxy.heal()
      await eventually(() => bus.sinceLastBeat() < 500)
      assert.equal(record.reconnects, 1)
      assert.deepEqual(record.heard, [])
    })

    test('the age of a delayed heartbeat includes its delay', async () => {
      const bus = await openHearingThroughProxy()
      proxy.latency(700)
      await fixedWait(1_000, 'beats from before the delay must have arrived')
      for (let n = 0; n < 50; n++) {
        assert.ok(bus.sinceLastBeat() >= 690, `${bus.sinceLastBeat()}`)
        await sleep(10)
      }
      proxy.heal()
    })
  })
})

describe('the bus on PostgreSQL', { skip: skipWithoutPostgres() }, () => {
  let server: PostgresServer
  let pool: pg.Pool
  before(async () => {
    server = await startPostgres()
    pool = new pg.Pool({ connectionString: server.url })
    pool.on('error', () => {})
  })
  after(async () => {
    await cleanUp()
    await pool.end()
    await server.stop()
  })

  const connect = async (url = server.url) => {
    const client = new pg.Client({ connectionString: url, application_name: 'listener' })
    await client.connect()
    return client
  }
  const notify = (channel: string, payload: string) => pool.query('SELECT pg_notify($1, $2)', [channel, payload])
  const openNode = () => openBus({ postgres: { connect: () => connect(), notify } })

  busContract(() => Promise.all([openNode(), openNode(), openNode()]))

  test('a message sent in a transaction arrives after its commit, and never after a rollback', async () => {
    const { bus } = await openNode()
    const record = recording(bus, 'news')
    const client = await pool.connect()
    for (const [text, end] of [
      ['undone', 'ROLLBACK'],
      ['done', 'COMMIT'],
    ] as const) {
      await client.query('BEGIN')
      await client.query('SELECT pg_notify($1, $2)', [postgresChannel, packMessage('news', text)])
      await client.query(end)
    }
    client.release()
    await eventually(() => record.heard.length > 0)
    assert.deepEqual(record.heard, ['done'])
  })

  test('a listener that was cut off reconnects and learns of the gap', async () => {
    const { bus } = await openNode()
    const record = recording(bus, 'news')
    assert.equal(bus.sinceLastBeat(), 0)
    await pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'listener'`)
    await eventually(() => record.reconnects === 1)
    await bus.publish('news', 'again')
    await eventually(() => record.heard.length > 0)
    assert.equal(bus.sinceLastBeat(), 0)
  })

  test('a client that ends without an error is replaced', async () => {
    const clients: pg.Client[] = []
    const remember = async () => {
      const client = await connect()
      clients.push(client)
      return client
    }
    const { bus } = await openBus({ postgres: { connect: remember, notify } })
    const record = recording(bus, 'news')
    await clients[0]?.end()
    await eventually(() => record.reconnects === 1)
    assert.equal(clients.length, 2)
  })

  test('a silent connection is detected and replaced', async () => {
    const proxy = await startFaultProxy(Number(new URL(server.url).port))
    cleanup.push(() => proxy.stop())
    const bus = await createPostgresBus({
      connect: () => connect(proxy.through(server.url)),
      notify,
      onError: (error) => assert.fail(String(error)),
      checkMs: 100,
    })
    cleanup.push(() => bus.close())
    const record = recording(bus, 'news')
    proxy.blackhole()
    await eventually(() => bus.sinceLastBeat() > 0)
    proxy.heal()
    await eventually(() => bus.sinceLastBeat() === 0)
    await bus.publish('news', 'again')
    await eventually(() => record.heard.length > 0)
    assert.equal(record.reconnects, 1)
  })

  test('without a server, the bus reports since when it has received nothing, and reconnects later', async () => {
    const { bus } = await openNode()
    const record = recording(bus, 'news')
    await server.kill()
    await eventually(() => bus.sinceLastBeat() > 300)
    await assert.rejects(bus.publish('news', 'lost'))
    await server.restart()
    await eventually(() => bus.sinceLastBeat() === 0)
    await bus.publish('news', 'again')
    await eventually(() => record.heard.length > 0)
    assert.deepEqual([record.reconnects, record.heard], [1, ['again']])
  })
})
