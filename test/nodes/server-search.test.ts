import assert from 'node:assert/strict'
import dns from 'node:dns'
import { chown, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { openServerPostgres } from '../../src/db/server-postgres.ts'
import { selfSigned } from '../support/certificate.ts'
import { eventually } from '../support/eventually.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { freePort } from '../support/free-port.ts'
import { type PostgresServer, skipWithoutPostgres, startPostgres } from '../support/postgres.ts'

const portOf = ({ url }: Pick<PostgresServer, 'url'>): number => Number(new URL(url).port)

const portNow = "SELECT current_setting('port')::int AS port"

describe('the search for a PostgreSQL server', { skip: skipWithoutPostgres() }, () => {
  let primary: PostgresServer
  let standby: PostgresServer
  before(async () => {
    primary = await startPostgres()
    standby = await primary.standby()
  })
  after(() => Promise.all([primary, standby].map((server) => server?.stop())))

  function open(t: TestContext, ports: number[], parameters: string, max = 4) {
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
    const server = openServerPostgres(`postgres://postgres:tiger-moths@${hosts}/postgres?${parameters}`, max, () => {})
    t.after(server.close)
    const port = async () => (await server.query(portNow, [])).rows[0]?.port
    return { ...server, port }
  }

  async function change(server: PostgresServer, ...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }

  async function setReadOnly(server: PostgresServer): Promise<void> {
    await change(server, 'ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()')
    await untilReadOnlyIs('on', server)
  }

  async function setWritable(server: PostgresServer): Promise<void> {
    const reset = 'ALTER SYSTEM RESET default_transaction_read_only'
    await change(server, 'SET default_transaction_read_only = off', reset, 'SELECT pg_reload_conf()')
    await untilReadOnlyIs('off', server)
  }

  /** The server reloads its configuration asynchronously. */
  const untilReadOnlyIs = (value: 'on' | 'off', server: PostgresServer) =>
    eventually(async () => {
      const client = new pg.Client({ connectionString: server.url })
      await client.connect()
      const { rows } = await client.query('SHOW default_transaction_read_only')
      await client.end()
      return rows[0].default_transaction_read_only === value
    })

  async function openConnections(server: PostgresServer): Promise<number> {
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    const { rows } = await client.query(
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name LIKE 'wardenry%'",
    )
    await client.end()
    return rows[0].count
  }

  async function startProxy(t: TestContext, server: PostgresServer): Promise<FaultProxy> {
    const proxy = await startFaultProxy(portOf(server))
    t.after(() => proxy.stop())
    return proxy
  }

  test('uses the first host that fits target_session_attrs', async (t) => {
    const both = [portOf(standby), portOf(primary)]
    assert.equal(await open(t, both, 'target_session_attrs=any').port(), portOf(standby))
    assert.equal(await open(t, both, '').port(), portOf(standby))
    assert.equal(await open(t, both, 'target_session_attrs=read-write').port(), portOf(primary))
    assert.equal(await open(t, both, 'target_session_attrs=primary').port(), portOf(primary))
    assert.equal(await open(t, [await freePort(), ...both], 'target_session_attrs=primary').port(), portOf(primary))
  })

  test('gives each kind of connection the same server', async (t) => {
    const server = open(t, [portOf(standby), portOf(primary)], 'target_session_attrs=read-write')
    const listener = await server.connect()
    t.after(() => listener.end())
    assert.equal((await listener.query(portNow)).rows[0].port, portOf(primary))
    assert.equal((await server.script(portNow))[0]?.[0]?.port, portOf(primary))
    assert.equal(await server.state(), 'writable')
    const alone = await server.openAlone(5_000)
    t.after(alone.end)
    const { rows } = await sql<{ port: number }>`SELECT current_setting('port')::int AS port`.execute(new Kysely(alone))
    assert.equal(rows[0]?.port, portOf(primary))
  })

  test('honours target_session_attrs of a single host', async (t) => {
    const server = open(t, [portOf(standby)], 'target_session_attrs=read-write')
    await assert.rejects(server.port(), { code: '25006', message: 'the server is read-only' })
    assert.notEqual(await server.state(), 'writable')
    assert.equal(await open(t, [portOf(standby)], '').port(), portOf(standby))
  })

  test('gives the reason of each host, without the password', async (t) => {
    const unused = await freePort()
    const server = open(t, [unused, portOf(standby)], 'target_session_attrs=read-write')
    const error = await server.port().then(assert.fail, (reason) => reason)
    assert.equal(
      error.message,
      'No server of DATABASE_URL is usable (target_session_attrs=read-write). ' +
        `127.0.0.1:${unused}: connect ECONNREFUSED 127.0.0.1:${unused}; 127.0.0.1:${portOf(standby)}: the server is read-only`,
    )
    assert.doesNotMatch(JSON.stringify({ ...error, stack: error.stack, cause: error.cause }), /tiger-moths/)
  })

  test('does not wait for a host that is silent', async (t) => {
    const proxy = await startProxy(t, primary)
    proxy.blackhole()
    const server = open(t, [proxy.port, portOf(primary)], 'target_session_attrs=read-write&connect_timeout=10')
    const started = performance.now()
    assert.equal(await server.port(), portOf(primary))
    assert.ok(performance.now() - started < 5_000, `${performance.now() - started}`)
    assert.equal(await server.port(), portOf(primary))
  })

  test('drops all connections to a server that has become read-only at once', async (t) => {
    const other = await startPostgres()
    t.after(() => other.stop())
    await setReadOnly(other)
    const server = open(t, [portOf(primary), portOf(other)], 'target_session_attrs=read-write')
    const listener = await server.connect()
    const isEnded = new Promise((resolve) => listener.once('end', () => resolve(true)))
    await Promise.all(Array.from({ length: 4 }, () => server.query('SELECT pg_sleep(0.1)', [])))
    const before = await openConnections(primary)
    assert.ok(before >= 5, `${before}`)
    await setReadOnly(primary)
    t.after(() => setWritable(primary))
    await setWritable(other)
    const write = () => server.query('CREATE TABLE IF NOT EXISTS refused (id int)', [])
    // Connections apply the new configuration at different times, so the write is repeated until it is rejected.
    await eventually(() =>
      write().then(
        () => false,
        ({ code }) => code === '25006',
      ),
    )
    const took = await eventually(async () => (await openConnections(primary)) <= 1, 3_000)
    t.diagnostic(`dropped within ${Math.round(took)} ms`)
    assert.equal(await server.port(), portOf(other))
    assert.equal(await isEnded, true)
    assert.equal(await openConnections(primary), 0)
  })

  test('stays with its server when a host before it in the list takes writes again', async (t) => {
    const proxy = await startProxy(t, primary)
    const other = await startPostgres()
    t.after(() => other.stop())
    proxy.cut()
    const server = open(t, [proxy.port, portOf(other)], 'target_session_attrs=read-write')
    assert.equal(await server.port(), portOf(other))
    proxy.heal()
    await change(other, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'wardenry'")
    await eventually(async () => (await openConnections(other)) === 0)
    assert.equal(await server.port(), portOf(other))
  })

  test('never uses a former primary again, even if it takes writes', async (t) => {
    const old = await startPostgres()
    t.after(() => old.stop())
    const promoted = await old.standby()
    t.after(() => promoted.stop())
    const oldLink = await startProxy(t, old)
    const newLink = await startProxy(t, promoted)
    const server = open(t, [oldLink.port, newLink.port], 'target_session_attrs=read-write')
    assert.equal(await server.port(), portOf(old))
    oldLink.cut()
    await change(promoted, 'SELECT pg_promote()')
    await eventually(async () => (await server.port().catch(() => 0)) === portOf(promoted))
    oldLink.heal()
    newLink.cut()
    await eventually(async () => (await server.state()) !== 'writable')
    await assert.rejects(server.port(), /is a former primary, because another server was promoted/)
    assert.equal(await openConnections(old), 0)
    newLink.heal()
    await eventually(async () => (await server.port().catch(() => 0)) === portOf(promoted))
  })

  test('commits nothing on a former primary that answers again after the move', async (t) => {
    const old = await startPostgres()
    t.after(() => old.stop())
    const promoted = await old.standby()
    t.after(() => promoted.stop())
    await change(old, 'CREATE TABLE notes (text text)')
    const link = await startProxy(t, old)
    const server = open(t, [link.port, portOf(promoted)], 'target_session_attrs=read-write&connect_timeout=30')
    assert.equal(await server.port(), portOf(old))
    const [begun, moved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const db = new Kysely<never>({ dialect: server.dialect })
    const work = db.transaction().execute(async (tx) => {
      await sql`INSERT INTO notes VALUES ('before')`.execute(tx)
      begun.resolve()
      await moved.promise
      await sql`INSERT INTO notes VALUES ('after')`.execute(tx)
    })
    await begun.promise
    link.blackhole()
    const connecting = server.connect()
    await change(promoted, 'SELECT pg_promote()')
    await eventually(async () => (await server.state()) === 'writable')
    link.heal()
    moved.resolve()
    await assert.rejects(work, { code: 'SERVER_LOST' })
    const listener = await connecting
    t.after(() => listener.end())
    assert.equal((await listener.query(portNow)).rows[0].port, portOf(promoted))
    await eventually(async () => (await openConnections(old)) === 0)
    const client = new pg.Client({ connectionString: old.url })
    await client.connect()
    assert.deepEqual((await client.query('SELECT * FROM notes')).rows, [])
    await client.end()
  })

  test('encrypts the connection to each host, and verifies the certificate for its name', async (t) => {
    const { key, certificate } = selfSigned()
    const other = await startPostgres()
    t.after(() => other.stop())
    const [authority] = await Promise.all([primary, other].map((each) => enableTls(each, key, certificate)))
    const tls = `sslmode=verify-full&sslrootcert=${authority}&target_session_attrs=read-write`
    const isEncrypted = async (hosts: string) => {
      const server = openServerPostgres(`postgres://postgres@${hosts}/postgres?${tls}`, 1, () => {})
      t.after(server.close)
      const text = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'
      return (await server.query(text, [])).rows[0]?.ssl
    }
    assert.equal(await isEncrypted(`localhost:${portOf(primary)}`), true)
    assert.equal(await isEncrypted(`127.0.0.1:${portOf(primary)},localhost:${portOf(other)}`), true)
    await assert.rejects(isEncrypted(`127.0.0.1:${portOf(primary)}`), /certificate/)
    await assert.rejects(isEncrypted(`127.0.0.1:${portOf(primary)},127.0.0.1:${portOf(other)}`), /usable.*certificate/)
  })

  /** Creates a certificate and returns its path. */
  async function enableTls(server: PostgresServer, key: string, certificate: string): Promise<string> {
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    const { rows } = await client.query('SHOW data_directory')
    const directory = rows[0].data_directory
    const { uid, gid } = await stat(directory)
    for (const [name, text] of Object.entries({ 'server.key': key, 'server.crt': certificate })) {
      await writeFile(join(directory, name), text, { mode: 0o600 })
      await chown(join(directory, name), uid, gid)
    }
    await client.query('ALTER SYSTEM SET ssl = on')
    await client.query('SELECT pg_reload_conf()')
    await client.end()
    return join(directory, 'server.crt')
  }

  test('resolves a host name for every new connection', async (t) => {
    const { url } = primary
    let lookups = 0
    let isKnown = true
    t.mock.method(dns, 'lookup', (name: string, options: { all?: boolean }, done: (...found: unknown[]) => void) => {
      lookups++
      if (!isKnown) return done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }))
      return options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)
    })
    const server = openServerPostgres(url.replace('127.0.0.1', 'db.example'), 4, () => {})
    t.after(server.close)
    const failed = () => server.script('SELECT 1 / 0')
    await assert.rejects(failed, { code: '22012' })
    await assert.rejects(failed, { code: '22012' })
    assert.equal(lookups, 2)
    isKnown = false
    await assert.rejects(failed, { code: 'ENOTFOUND' })
    isKnown = true
    await assert.rejects(failed, { code: '22012' })
    assert.equal(lookups, 4)
  })
})
