import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createCache } from '../../src/adapters/cache/index.ts'
import { createMemoryCache } from '../../src/adapters/cache/memory.ts'
import { epochLifetime } from '../../src/adapters/cache/port.ts'
import { openRedis, type Redis } from '../../src/adapters/redis/connect.ts'
import { type RedisServer, skipWithoutRedis, startRedis } from '../support/redis.ts'
import { cacheContract } from './cache.contract.ts'

const entry = (key: string, epoch = 1) => ({ key, owner: 'ada', epoch, value: key, lifetime: 60_000 })

describe('the cache in memory', () => {
  cacheContract(async () => createCache({}))

  test('holds a bounded number of entries and drops those that are out of use', async () => {
    const cache = createMemoryCache({ maxEntries: 100 })
    for (let n = 0; n < 100; n++) await cache.setUnlessOlder(entry(`k${n}`))
    assert.equal(await cache.get('k0'), 'k0')
    await cache.setUnlessOlder(entry('one more'))
    assert.equal(await cache.get('k0'), 'k0')
    assert.equal(await cache.get('k1'), undefined)
  })

  test('remembers an epoch for its lifetime, and forgets it after two', async () => {
    let time = 0
    const cache = createMemoryCache({ now: () => time })
    await cache.raiseEpoch('ada', 2)
    time = epochLifetime
    await cache.raiseEpoch('grace', 1)
    await cache.setUnlessOlder(entry('late'))
    assert.equal(await cache.get('late'), undefined)
    for (const round of [1, 2]) {
      time += epochLifetime
      await cache.raiseEpoch('grace', 1 + round)
    }
    await cache.setUnlessOlder(entry('much later'))
    assert.equal(await cache.get('much later'), 'much later')
  })
})

describe('the cache in Redis', { skip: skipWithoutRedis() }, () => {
  let server: RedisServer
  const opened: Redis[] = []
  const connect = async (prefix: string) => {
    const redis = await openRedis({ url: server.url, prefix, commandMs: 10_000 })
    opened.push(redis)
    return redis
  }
  before(async () => {
    server = await startRedis()
  })
  after(async () => {
    await Promise.all(opened.map((redis) => redis.close()))
    await server.stop()
  })

  cacheContract(async () => createCache({ redis: await connect(`${randomUUID()}:`) }))

  test('is common to the nodes of a deployment and to nobody else', async () => {
    const [here, there, elsewhere] = await Promise.all([connect('a:'), connect('a:'), connect('b:')])
    await createCache({ redis: here }).setUnlessOlder(entry('phone'))
    assert.equal(await createCache({ redis: there }).get('phone'), 'phone')
    assert.equal(await createCache({ redis: elsewhere }).get('phone'), undefined)
  })

  test('an epoch that was evicted makes nothing valid', async () => {
    const redis = await connect('evicted:')
    const cache = createCache({ redis })
    await cache.setUnlessOlder(entry('phone'))
    await redis.command('DEL', redis.key('epoch:ada'))
    assert.equal(await cache.get('phone'), undefined)
  })

  test('an epoch outlives every entry by far, and is not kept for ever', async () => {
    const redis = await connect('epochs:')
    const cache = createCache({ redis })
    await cache.raiseEpoch('ada', 7)
    const rest = Number(await redis.command('PTTL', redis.key('epoch:ada')))
    assert.ok(rest > epochLifetime - 5_000 && rest <= epochLifetime, `${rest}`)
  })

  test('a server without memory refuses fills, and a change outdates what is there all the same', async () => {
    const redis = await connect('full:')
    const cache = createCache({ redis })
    await cache.setUnlessOlder(entry('phone'))
    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction')
    await redis.command('CONFIG', 'SET', 'maxmemory', '1')
    try {
      await assert.rejects(cache.setUnlessOlder(entry('laptop')), /OOM/)
      assert.equal(await cache.get('phone'), 'phone')
      await cache.raiseEpoch('ada', 2)
      assert.equal(await cache.get('phone'), undefined)
      for (let n = 0; n < 10; n++) await assert.rejects(cache.setUnlessOlder(entry('laptop', 2)), /OOM/)
      assert.equal(redis.isUp(), true, 'a server that answers is no reason to open the circuit')
    } finally {
      await redis.command('CONFIG', 'SET', 'maxmemory', '0')
    }
  })
})
