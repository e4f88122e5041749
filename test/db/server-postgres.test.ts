import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { connectDatabase } from '../../src/db/connect.ts'
import { databaseFault } from '../../src/db/errors.ts'
import { openServerPostgres } from '../../src/db/server-postgres.ts'
import { eventually } from '../support/eventually.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { fixedWait } from '../support/fixed-wait.ts'
import { person, registered } from '../support/people.ts'
import { startTestApp } from '../support/test-app.ts'

const isDatabaseAway = (error: unknown): boolean => databaseFault(error) !== undefined

const server = process.env.TEST_DATABASE_URL ?? ''
const options = { skip: server === '' && 'skipped: no TEST_DATABASE_URL', concurrency: true }

async function connect(url: string, poolMax: number) {
  const lost: Error[] = []
  const onDown = (error: Error) => void lost.push(error)
  const database = await connectDatabase({ url, poolMax, dataDir: undefined, archive: undefined, onDown })
  return { ...database, lost }
}

async function open(t: TestContext, poolMax = 1) {
  const database = await connect(server, poolMax)
  t.after(() => database.close())
  return database
}

async function outsider(t: TestContext, url = server): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  // The server may stop before its clients are closed.
  client.on('error', () => {})
  await client.connect()
  t.after(() => client.end())
  return client
}

async function timed(work: Promise<unknown>): Promise<{ took: number; error: unknown }> {
  const started = performance.now()
  const error = await work.then(
    () => undefined,
    (reason) => reason,
  )
  return { took: performance.now() - started, error }
}

/** An idle transaction. Resolves once it has begun. */
async function idle(db: Kysely<never>, until: Promise<void>): Promise<{ ended: Promise<void> }> {
  const begun = Promise.withResolvers<void>()
  const ended = db.transaction().execute(async (transaction) => {
    await sql`SELECT 1`.execute(transaction)
    begun.resolve()
    await until
  })
  await begun.promise
  return { ended }
}

describe('server PostgreSQL', options, () => {
  test('a statement with values has a name and keeps it for the next call', async (t) => {
    const { db, query } = await open(t)
    for (let count = 0; count < 3; count++) await sql`SELECT ${count}::int AS given`.execute(db)
    await sql`SELECT 'no values' AS given`.execute(db)
    const prepared = await query('SELECT name, statement FROM pg_prepared_statements', [])
    assert.equal(prepared.length, 1)
    assert.match(JSON.stringify(prepared), /"w_[0-9a-f]{24}","statement":"SELECT \$1::int AS given"/)
  })

  test('a connection that ends on its way to whoever asked for it ends nothing else', async (t) => {
    const { pool, script, close } = openServerPostgres(server, 1, () => {})
    t.after(close)
    let ended = 0
    pool.on('connect', (client) => {
      queueMicrotask(() => client.emit('error', new Error('terminated')))
      ended++
    })
    assert.deepEqual(await script('SELECT 1 AS one'), [[{ one: 1 }]])
    assert.equal(ended, 1)
  })

  test('a statement is cut after five seconds', async (t) => {
    const { db } = await open(t)
    const { took, error } = await timed(sql`SELECT pg_sleep(20)`.execute(db))
    assert.equal((error as pg.DatabaseError).code, '57014')
    assert.ok(isDatabaseAway(error) && took > 4_900 && took < 15_000, `${took}`)
  })

  test('a statement of a command, such as the last step of a restore, may take longer', async (t) => {
    const settings = { url: server, poolMax: 1, dataDir: undefined, archive: undefined, onDown: () => {} }
    const { db, close } = await connectDatabase({ ...settings, isForCommand: true })
    t.after(close)
    const { took, error } = await timed(sql`SELECT pg_sleep(8)`.execute(db))
    assert.ok(error === undefined && took > 7_900, `${took} ${error}`)
  })

  test('a statement waits three seconds for a lock, no longer', async (t) => {
    const { db } = await open(t)
    const holder = await outsider(t)
    await holder.query('SELECT pg_advisory_lock(4711)')
    const { took, error } = await timed(sql`SELECT pg_advisory_xact_lock(4711)`.execute(db))
    assert.equal((error as pg.DatabaseError).code, '55P03')
    assert.ok(isDatabaseAway(error) && took > 2_900, `${took}`)
  })

  test('callers wait at most two seconds for the pool, and at most 200 at a time', async (t) => {
    const { db } = await open(t)
    const release = Promise.withResolvers<void>()
    const holding = await idle(db as never, release.promise)
    try {
      let given = 0
      const waiting = Array.from({ length: 200 }, () => timed(sql`SELECT 1`.execute(db)).finally(() => given++))
      const refused = await timed(sql`SELECT 1`.execute(db))
      assert.equal((refused.error as { code?: string }).code, 'POOL_BUSY')
      assert.equal(given, 0, 'refused at once, before anybody has waited long enough')
      for (const { took, error } of await Promise.all(waiting)) {
        assert.ok(isDatabaseAway(error) && took > 1_900, `${took} ${error}`)
      }
    } finally {
      release.resolve()
      await holding.ended
    }
    await sql`SELECT 1`.execute(db)
  })

  test('the pool outlives a connection that ends in the middle of a transaction, or while nobody uses it', async (t) => {
    const { db, lost } = await open(t)
    const killer = await outsider(t)
    const kill = async (pid: number) => {
      await killer.query('SELECT pg_terminate_backend($1)', [pid])
      const left = () => killer.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [pid])
      while ((await left()).rowCount) await sleep(10)
    }
    const own = async (connection: typeof db) =>
      (await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(connection)).rows[0]!.pid
    const change = db.transaction().execute(async (transaction) => {
      await kill(await own(transaction))
      await own(transaction)
    })
    await assert.rejects(change, isDatabaseAway)
    assert.equal(lost.length, 0)
    await kill(await own(db))
    await eventually(() => lost.length === 1)
    assert.ok((await own(db)) > 0)
  })

  test('a network that breaks under all that runs fails all of it, and nothing else', async (t) => {
    const proxy = await startFaultProxy(Number(new URL(server).port))
    const { db, query, exec, close, lost } = await connect(proxy.through(server), 4)
    t.after(async () => {
      await close()
      await proxy.stop()
    })
    const release = Promise.withResolvers<void>()
    const transaction = await idle(db as never, release.promise)
    const asleep = 'SELECT pg_sleep(4.5)'
    const running = [query(asleep, []), exec(asleep), sql.raw(asleep).execute(db)]
    const failures = running.map((work) => assert.rejects(work, isDatabaseAway))
    const observer = await outsider(t)
    const sleepers = () => observer.query('SELECT 1 FROM pg_stat_activity WHERE query = $1', [asleep])
    while ((await sleepers()).rowCount !== running.length) await sleep(10)
    proxy.cut()
    await Promise.all(failures)
    release.resolve()
    await assert.rejects(transaction.ended, isDatabaseAway)
    proxy.heal()
    assert.deepEqual(await query('SELECT 1 AS one', []), [{ one: 1 }])
    for (const error of lost) assert.deepEqual(Object.keys(JSON.parse(JSON.stringify(error))).includes('client'), false)
  })

  test('the pool gives nobody a connection on which a script has failed half-way', async (t) => {
    const { exec, query } = await open(t)
    await assert.rejects(exec('BEGIN; SELECT 1/0; COMMIT'), { code: '22012' })
    assert.deepEqual(await query('SELECT 1 AS one', []), [{ one: 1 }])
    assert.deepEqual(await exec('SELECT 1 AS one; SELECT 2 AS two'), [[{ one: 1 }], [{ two: 2 }]])
  })

  test('a service whose database is too slow responds with 503 and Retry-After, stays alive and recovers', async (t) => {
    const app = await startTestApp()
    t.after(app.stop)
    const ada = await registered(app)
    const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(app.ctx.db)
    const blocker = await outsider(t, Object.assign(new URL(server), { pathname: `/${rows[0]?.name}` }).href)
    await blocker.query('BEGIN; LOCK TABLE users')

    const logins = Array.from({ length: 300 }, async () => {
      const started = performance.now()
      const reply = await app.post('/auth/login', person())
      return { ...reply, took: performance.now() - started }
    })
    await fixedWait(300, 'the requests wait for the locked table and for connections')
    assert.equal((await app.get('/health/live')).status, 200)
    assert.equal((await app.get('/health/ready')).status, 200, 'busy with what we asked is not gone')
    const replies = await Promise.all(logins)
    await blocker.query('ROLLBACK')
    for (const { status, json, headers, took } of replies) {
      assert.equal(status, 503)
      assert.equal(json.code, 'UNAVAILABLE')
      assert.ok(Number(headers['retry-after']) > 0)
      assert.ok(took < 15_000, `${took}`)
    }
    assert.equal((await app.post('/auth/login', ada)).status, 200)
  })
})
