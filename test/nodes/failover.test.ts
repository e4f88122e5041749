import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import pg from 'pg'
import { eventually } from '../support/eventually.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { fixedWait } from '../support/fixed-wait.ts'
import { type PostgresServer, skipWithoutPostgres, startPostgres } from '../support/postgres.ts'
import { loadSettings } from './load.ts'
import {
  type Answer,
  call,
  loginAt,
  type Nodes,
  newDatabase,
  type Registered,
  registerAt,
  startNodes,
  validateAt,
} from './nodes.ts'

interface Pair {
  primary: PostgresServer
  standby: PostgresServer
  database: string
  nodes: Nodes
  ada: Registered
}

async function ask<Row>(server: PostgresServer, text: string, database = 'postgres', values: unknown[] = []) {
  const client = new pg.Client({ connectionString: server.url.replace(/postgres$/, database) })
  await client.connect()
  try {
    return (await client.query(text, values)).rows as Row[]
  } finally {
    await client.end()
  }
}

/** Replication is synchronous: a commit on the primary is acknowledged only once the standby has received it. */
async function startPair(t: TestContext, reachPrimary = async ({ url }: PostgresServer) => url): Promise<Pair> {
  const primary = await startPostgres()
  t.after(() => primary.stop())
  const standby = await primary.standby()
  t.after(() => standby.stop())
  await ask(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'")
  await ask(primary, 'SELECT pg_reload_conf()')
  await eventually(async () => {
    const [row] = await ask<{ sync_state: string }>(primary, 'SELECT sync_state FROM pg_stat_replication')
    return row?.sync_state === 'sync'
  })
  const created = await newDatabase(primary.url)
  const database = new URL(created.url).pathname.slice(1)
  const hosts = [await reachPrimary(primary), standby.url].map((url) => new URL(url).host).join(',')
  const url = `postgres://postgres@${hosts}/${database}?target_session_attrs=read-write`
  // The database is not dropped, because its server may be down, and both servers are removed after the test.
  const drop = async () => {}
  const nodes = await startNodes(2, { ...loadSettings, DATABASE_URL: url }, { ...created, drop })
  t.after(nodes.stop)
  return { primary, standby, database, nodes, ada: await registerAt(nodes.urls[0]!) }
}

const canWrite = async (url: string, user: Registered) =>
  (await loginAt(url, user)).status === 200 && (await call(`${url}/health/ready`)).status === 200

function assertUnavailable({ status, json, headers }: Answer): void {
  assert.deepEqual([status, json.code], [503, 'UNAVAILABLE'])
  assert.ok(Number(headers.get('retry-after')) > 0)
}

/** How long it takes until all nodes can write again, in milliseconds. */
async function untilAllWrite({ nodes, ada }: Pair): Promise<number> {
  return Math.max(...(await Promise.all(nodes.urls.map((url) => eventually(() => canWrite(url, ada), 5_000)))))
}

async function promote(standby: PostgresServer): Promise<void> {
  await ask(standby, 'SELECT pg_promote()')
}

/**
 * Excludes the connections that search for the primary, and those whose commits wait for a lost standby, because no
 * client receives their results.
 */
const connectionsOfService = async (server: PostgresServer): Promise<number> => {
  const text = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name LIKE 'wardenry%'
    AND application_name <> 'wardenry-search' AND wait_event IS DISTINCT FROM 'SyncRep'`
  const [row] = await ask<{ count: number }>(server, text)
  return row?.count ?? 0
}

/** Registers users one after the other until stopped, and collects those whose registration was acknowledged. */
function registerMany(urls: readonly string[]) {
  const acknowledged: Registered[] = []
  let isStopped = false
  const work = async () => {
    for (let count = 0; !isStopped; count++) {
      const url = urls[count % urls.length]!
      await registerAt(url).then(
        (user) => acknowledged.push(user),
        () => fixedWait(50, 'the service is unavailable, and a client would wait too'),
      )
    }
  }
  const done = Promise.all([work(), work()])
  return {
    acknowledged,
    async stop() {
      isStopped = true
      await done
    },
  }
}

describe('a service with two PostgreSQL servers', { skip: skipWithoutPostgres() }, () => {
  test('writes to the standby within five seconds of its promotion, and has lost no acknowledged write', async (t) => {
    const pair = await startPair(t)
    const { primary, standby, database, nodes, ada } = pair
    const writer = registerMany(nodes.urls)
    t.after(writer.stop)
    await eventually(() => writer.acknowledged.length >= 10)
    await primary.kill()
    for (const url of nodes.urls) {
      assertUnavailable(await loginAt(url, ada))
      await eventually(async () => (await validateAt(url, ada.sessionToken)).status === 503, 5_000)
      assertUnavailable(await validateAt(url, ada.sessionToken))
      assert.equal((await call(`${url}/health/live`)).status, 200)
      await eventually(async () => (await call(`${url}/health/ready`)).status === 503, 5_000)
    }
    await promote(standby)
    t.diagnostic(`writes again ${Math.round(await untilAllWrite(pair))} ms after the promotion`)
    await writer.stop()

    const emails = writer.acknowledged.map(({ email }) => email)
    const stored = await ask<{ email: string }>(standby, 'SELECT email FROM users WHERE email = ANY($1)', database, [
      emails,
    ])
    assert.equal(stored.length, emails.length)
    for (const url of nodes.urls) assert.equal((await validateAt(url, ada.sessionToken)).status, 200)

    await primary.restartAsStandby()
    const position = 'SELECT pg_last_wal_replay_lsn() AS position'
    const before = await ask(primary, position)
    for (const url of nodes.urls) for (let count = 0; count < 5; count++) await registerAt(url)
    const backends = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'wardenry%'"
    await ask(standby, backends)
    await untilAllWrite(pair)
    assert.equal(await connectionsOfService(primary), 0)
    assert.deepEqual(await ask(primary, position), before)
    for (const service of nodes.services) assert.doesNotMatch(service.output(), /uncaught error/)
  })

  test('leaves a primary that has fallen silent within five seconds of the promotion', async (t) => {
    let link: FaultProxy | undefined
    const pair = await startPair(t, async (server) => {
      const proxy = await startFaultProxy(Number(new URL(server.url).port))
      t.after(() => proxy.stop())
      link = proxy
      return proxy.through(server.url)
    })
    link?.blackhole()
    await promote(pair.standby)
    t.diagnostic(`writes again ${Math.round(await untilAllWrite(pair))} ms after the promotion`)
    const before = await ask(pair.primary, 'SELECT count(*) FROM users', pair.database)
    // The proxy now forwards the delayed data on connections to the former primary.
    link?.heal()
    for (const url of pair.nodes.urls) for (let count = 0; count < 5; count++) await registerAt(url)
    assert.deepEqual(await ask(pair.primary, 'SELECT count(*) FROM users', pair.database), before)
    await eventually(async () => (await connectionsOfService(pair.primary)) === 0)
  })

  test('follows a switchover in both directions', async (t) => {
    const pair = await startPair(t)
    const { primary, standby, nodes, ada } = pair
    for (const [from, to] of [
      [primary, standby],
      [standby, primary],
    ] as const) {
      await from.restartAsStandby(to)
      for (const url of nodes.urls) assertUnavailable(await loginAt(url, ada))
      assert.equal(await connectionsOfService(from), 0)
      await promote(to)
      t.diagnostic(`writes again ${Math.round(await untilAllWrite(pair))} ms after the promotion`)
      assert.equal(await connectionsOfService(from), 0)
      for (const url of nodes.urls) await registerAt(url)
    }
  })
})
