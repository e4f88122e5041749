import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import pg from 'pg'
import { eventually } from '../support/eventually.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { type PostgresServer, skipWithoutPostgres, startPostgres } from '../support/postgres.ts'
import {
  type Answer,
  call,
  loginAt,
  newDatabase,
  type Registered,
  registerAt,
  startNodes,
  validateAt,
} from './nodes.ts'

const portOf = ({ url }: PostgresServer): number => Number(new URL(url).port)

describe('a service whose PostgreSQL server takes no writes', { skip: skipWithoutPostgres() }, () => {
  let primary: PostgresServer
  let standby: PostgresServer
  before(async () => {
    primary = await startPostgres()
    standby = await primary.standby()
  })
  after(() => Promise.all([primary, standby].map((server) => server?.stop())))

  async function startBehindProxy(t: TestContext): Promise<{ url: string; proxy: FaultProxy; ada: Registered }> {
    const proxy = await startFaultProxy(portOf(primary))
    const nodes = await startNodes(1, {}, await newDatabase(proxy.through(primary.url)))
    t.after(async () => {
      proxy.retarget(portOf(primary))
      proxy.cut()
      proxy.heal()
      await nodes.stop()
      await proxy.stop()
    })
    const url = nodes.urls[0]!
    return { url, proxy, ada: await registerAt(url) }
  }

  const isReady = async (url: string) => (await call(`${url}/health/ready`)).status === 200
  const canWrite = async (url: string, user: Registered) =>
    (await loginAt(url, user)).status === 200 && (await isReady(url))

  function assertUnavailable({ status, json, headers }: Answer): void {
    assert.equal(status, 503, JSON.stringify(json))
    assert.equal(json.code, 'UNAVAILABLE')
    assert.ok(Number(headers.get('retry-after')) > 0)
  }

  async function assertReadOnly(url: string, ada: Registered): Promise<void> {
    for (let round = 0; round < 3; round++) assertUnavailable(await loginAt(url, ada))
    await eventually(async () => !(await isReady(url)), 5_000)
    const ready = await call(`${url}/health/ready`)
    assert.deepEqual([ready.status, ready.json.checks.database], [503, 'degraded'])
    assert.equal((await call(`${url}/health/live`)).status, 200)
    await eventually(async () => {
      const metrics = await (await fetch(`${url}/metrics`)).text()
      return /^wardenry_database_writable 0$/m.test(metrics) && metrics.includes('dependency_up{name="database"} 1')
    })
    const validated = await validateAt(url, ada.sessionToken)
    assert.deepEqual([validated.status, validated.json.user?.id], [200, ada.id])
    const me = await call(`${url}/auth/validation`, { headers: { 'x-session-id': ada.sessionToken } })
    assert.equal(me.status, 200, JSON.stringify(me.json))
  }

  async function change(server: PostgresServer, ...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }

  test('refuses writes with 503, reads on, and writes again once the server takes writes', async (t) => {
    const { url, ada } = await startBehindProxy(t)
    await change(primary, 'ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()')
    try {
      await eventually(async () => (await loginAt(url, ada)).status !== 200)
      await assertReadOnly(url, ada)
    } finally {
      const back = ['SET default_transaction_read_only = off', 'ALTER SYSTEM RESET default_transaction_read_only']
      await change(primary, ...back, 'SELECT pg_reload_conf()')
    }
    await eventually(() => canWrite(url, ada), 5_000)
  })

  test('finds the promoted standby under the same address within five seconds, without a restart', async (t) => {
    const { url, proxy, ada } = await startBehindProxy(t)
    const [row] = await ask(primary, 'SELECT pg_current_wal_lsn() AS lsn')
    await eventually(async () => {
      const [seen] = await ask(standby, `SELECT pg_last_wal_replay_lsn() >= '${row!.lsn}' AS is_there`)
      return seen!.is_there === true
    }, 10_000)

    proxy.retarget(portOf(standby))
    proxy.cut()
    proxy.heal()
    await eventually(async () => (await validateAt(url, ada.sessionToken)).status === 200, 10_000)
    await assertReadOnly(url, ada)

    await change(standby, 'SELECT pg_promote()')
    await eventually(() => canWrite(url, ada), 5_000)
    const grace = await registerAt(url, 'grace')
    assert.equal((await validateAt(url, grace.sessionToken)).status, 200)
  })

  test('leaves the connections to a former primary, which stay open, for the new primary', async (t) => {
    const { url, proxy, ada } = await startBehindProxy(t)
    const follower = await primary.standby()
    t.after(() => follower.stop())
    await change(follower, 'SELECT pg_promote()')
    await change(primary, 'ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()')
    try {
      await eventually(async () => (await loginAt(url, ada)).status !== 200)
      proxy.retarget(portOf(follower))
      await eventually(() => canWrite(url, ada), 5_000)
      const grace = await registerAt(url, 'grace')
      assert.equal((await validateAt(url, grace.sessionToken)).status, 200)
    } finally {
      const back = ['SET default_transaction_read_only = off', 'ALTER SYSTEM RESET default_transaction_read_only']
      await change(primary, ...back, 'SELECT pg_reload_conf()')
    }
  })

  async function ask(server: PostgresServer, text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    const { rows } = await client.query(text)
    await client.end()
    return rows
  }
})
