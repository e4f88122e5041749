import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { withFallback } from '../../src/adapters/rate-limit/fallback.ts'
import { createRateLimitStore } from '../../src/adapters/rate-limit/index.ts'
import { createMemoryRateLimits } from '../../src/adapters/rate-limit/memory.ts'
import { createPostgresRateLimits, purgeExpired, type RunQuery } from '../../src/adapters/rate-limit/postgres.ts'
import { openRedis, type RedisConnection } from '../../src/adapters/redis/connect.ts'
import { type PostgresServer, skipWithoutPostgres, startPostgres } from '../support/postgres.ts'
import { type RedisServer, skipWithoutRedis, startRedis } from '../support/redis.ts'
import { rateLimitContract } from './rate-limit.contract.ts'

const table = `CREATE TABLE rate_limits (
  key text PRIMARY KEY, count integer NOT NULL, resets_at timestamptz NOT NULL)`

const failTest = (error: unknown) => assert.fail(`the store is down: ${error}`)

describe('limits in memory', () => {
  rateLimitContract(async () => createRateLimitStore({ onDown: failTest }))
})

describe('limits in Redis', { skip: skipWithoutRedis() }, () => {
  let server: RedisServer
  let redis: RedisConnection
  before(async () => {
    server = await startRedis()
    redis = await openRedis({ url: server.url, commandMs: 10_000 })
  })
  after(async () => {
    await redis.close()
    await server.stop()
  })

  rateLimitContract(async () => createRateLimitStore({ redis, onDown: failTest }))

  test('a key leaves with its window, and one without an expiry gets one', async () => {
    const store = createRateLimitStore({ redis, onDown: failTest })
    await store.hit('short', 30)
    await sleep(60)
    assert.equal(await redis.command('EXISTS', redis.key('rate:short')), 0)
    await redis.command('SET', redis.key('rate:for ever'), '41')
    assert.deepEqual(await store.hit('for ever', 1_000), { count: 42, resetsInMs: 1_000, degraded: false })
    assert.ok(Number(await redis.command('PTTL', redis.key('rate:for ever'))) > 0)
  })
})

describe('limits in server PostgreSQL', { skip: skipWithoutPostgres() }, () => {
  let server: PostgresServer
  let pool: pg.Pool
  const query: RunQuery = async (text, values) => (await pool.query(text, values)).rows
  before(async () => {
    server = await startPostgres()
    pool = new pg.Pool({ connectionString: server.url, max: 20 })
    await pool.query(table)
  })
  after(async () => {
    await pool.end()
    await server.stop()
  })

  rateLimitContract(async () => createRateLimitStore({ query, onDown: failTest }))
  purgeTest(query)
  commitTest(query)
})

describe('limits in embedded PostgreSQL', () => {
  let engine: PGlite
  const query: RunQuery = async (text, values) => (await engine.query<Record<string, unknown>>(text, values)).rows
  before(async () => {
    engine = await PGlite.create()
    await engine.exec(table)
  })
  after(() => engine.close())

  rateLimitContract(async () => createRateLimitStore({ query, onDown: failTest }))
  purgeTest(query)
  commitTest(query)
})

function purgeTest(query: RunQuery): void {
  test('purges ended windows in batches, and keeps the others', async () => {
    const store = createPostgresRateLimits(query)
    await query('DELETE FROM rate_limits', [])
    for (let n = 0; n < 5; n++) await store.hit(`ended ${n}`, 1)
    await store.hit('running', 60_000)
    await sleep(10)
    assert.deepEqual(
      [await purgeExpired(query, 3), await purgeExpired(query, 3), await purgeExpired(query, 3)],
      [3, 2, 0],
    )
    assert.equal((await store.hit('running', 60_000)).count, 2)
  })
}

function commitTest(query: RunQuery): void {
  test('a count does not wait for the disk, and later transactions do', async () => {
    const store = createPostgresRateLimits(query)
    const read = async (expression: string) => (await query(`SELECT ${expression} AS value`, []))[0]?.value
    // A server also writes its log in the background, so a single count could be on the disk already.
    const areWaiting: unknown[] = []
    for (let n = 0; n < 20; n++) {
      await store.hit('waiting', 60_000)
      areWaiting.push(await read('pg_current_wal_flush_lsn() < pg_current_wal_insert_lsn()'))
    }
    assert.ok(areWaiting.includes(true))
    assert.equal(await read("current_setting('synchronous_commit')"), 'on')
  })
}

describe('limits without their store', () => {
  test('the process counts alone, reports this, and logs the loss once', async () => {
    const working = createMemoryRateLimits()
    let isBroken = true
    const losses: unknown[] = []
    const broken = () => Promise.reject(new Error('gone'))
    const store = withFallback(
      { hit: (key, windowMs) => (isBroken ? broken() : working.hit(key, windowMs)), close: () => working.close() },
      (error) => losses.push(error),
    )
    assert.deepEqual(
      [await store.hit('ada', 1_000), await store.hit('ada', 1_000)].map(({ count, degraded }) => [count, degraded]),
      [
        [1, true],
        [2, true],
      ],
    )
    assert.equal(losses.length, 1)
    isBroken = false
    assert.equal((await store.hit('ada', 1_000)).degraded, false)
    isBroken = true
    assert.equal((await store.hit('ada', 1_000)).count, 3, 'the local window goes on')
    assert.equal(losses.length, 2)
  })
})
