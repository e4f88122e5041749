import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createRedisCache } from '../../src/adapters/cache/redis.ts'
import { openRedis, type RedisConnection } from '../../src/adapters/redis/connect.ts'
import { epochLifetime } from '../../src/lib/versioned-cache.ts'
import { type RedisServer, skipWithoutRedis, startRedis } from '../support/redis.ts'
import { cacheContract } from './cache.contract.ts'

const entry = (key: string, epoch = 1) => ({ key, owners: [{ id: 'ada', epoch }], value: key, lifetime: 60_000 })

describe('the cache in Redis', { skip: skipWithoutRedis() }, () => {
  let server: RedisServer
  const opened: RedisConnection[] = []
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

  cacheContract(async () => createRedisCache(await connect(`${randomUUID()}:`)))

  test('is shared by the nodes of one deployment only', async () => {
    const [here, there, elsewhere] = await Promise.all([connect('a:'), connect('a:'), connect('b:')])
    await createRedisCache(here).setUnlessOlder(entry('phone'))
    assert.equal(await createRedisCache(there).get('phone'), 'phone')
    assert.equal(await createRedisCache(elsewhere).get('phone'), undefined)
  })

  test('an evicted epoch does not make entries valid', async () => {
    const redis = await connect('evicted:')
    const cache = createRedisCache(redis)
    await cache.setUnlessOlder(entry('phone'))
    await redis.command('DEL', redis.key('epoch:ada'))
    assert.equal(await cache.get('phone'), undefined)
  })

  test('an entry that names no owner is not valid', async () => {
    const redis = await connect('damaged:')
    for (const text of ['ada\nphone', '1\nphone', '\nphone', 'phone']) {
      await redis.command('SET', redis.key('owned:phone'), text)
      assert.equal(
        await createRedisCache(redis)
          .get('phone')
          .catch(() => undefined),
        undefined,
        text,
      )
    }
  })

  test('epochs outlive all entries, but expire', async () => {
    const redis = await connect('epochs:')
    const cache = createRedisCache(redis)
    await cache.raiseEpoch('ada', 7)
    const rest = Number(await redis.command('PTTL', redis.key('epoch:ada')))
    assert.ok(rest > epochLifetime - 5_000 && rest <= epochLifetime, `${rest}`)
  })

  test('a server without memory refuses fills, but changes still invalidate entries', async () => {
    const redis = await connect('full:')
    const cache = createRedisCache(redis)
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
