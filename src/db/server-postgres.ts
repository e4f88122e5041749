import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { guardedPool, retiredConnections } from './guarded-pool.ts'
import { watchResponsiveness } from './responsiveness.ts'

const waitLimit = 2_000
/** In milliseconds. Connections to a read-only server are replaced at most once in this interval. */
const retireEvery = 1_000

pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export interface ServerPostgres {
  dialect: Dialect
  pool: pg.Pool
  query(text: string, values: unknown[]): Promise<pg.QueryResult>
  isUp(): Promise<boolean>
  script(text: string): Promise<Record<string, unknown>[][]>
  connect(): Promise<pg.Client>
  /** A dialect on a dedicated connection for work longer than a request. The connection is ended after `limit` ms. */
  openAlone(limit: number): Promise<{ dialect: Dialect; end: () => Promise<void> }>
  close(): Promise<void>
}

export function openServerPostgres(url: string, max: number, onDown: (error: Error) => void): ServerPostgres {
  const options: pg.PoolConfig = {
    connectionString: url,
    max,
    connectionTimeoutMillis: waitLimit,
    statement_timeout: 5_000,
    lock_timeout: 3_000,
    idle_in_transaction_session_timeout: 10_000,
    query_timeout: 7_000,
    keepAlive: true,
    application_name: 'wardenry',
  }
  const pool = new pg.Pool(options)
  // Probes have their own connection, because a busy pool does not mean that the server is down.
  const probes = new pg.Pool({ ...options, max: 1, query_timeout: waitLimit })
  // The pool attaches the whole connection to the error. The connection must not appear in a log.
  pool.on('error', (error) => onDown(Object.assign(error, { client: undefined })))
  probes.on('error', ignore)
  // An error of a connection in use must not end the process. The running statement fails anyway.
  for (const each of [pool, probes]) each.on('connect', (client) => client.on('error', ignore))
  const open = async () => {
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      application_name: 'wardenry-listen',
      connectionTimeoutMillis: waitLimit,
    })
    client.on('error', ignore)
    await client.connect()
    return client
  }
  const listeners = new Set<pg.Client>()
  const connect = async () => {
    const client = await open()
    listeners.add(client)
    client.on('end', () => listeners.delete(client))
    return client
  }
  const probe = sharedProbe(probes)
  const silence = watchResponsiveness(async () => (await probe()) !== 'away', waitLimit)
  const retired = retiredConnections(pool)
  let retiredAt = Number.NEGATIVE_INFINITY
  let wasReadOnly = false
  // After a failover, old connections may still lead to the read-only server.
  const onReadOnly = () => {
    wasReadOnly = true
    if (performance.now() - retiredAt < retireEvery) return
    retiredAt = performance.now()
    retired.retireAll()
  }
  const onWritable = () => {
    if (!wasReadOnly) return
    wasReadOnly = false
    retired.retireAll()
    for (const client of listeners) client.end().catch(ignore)
  }
  return {
    dialect: new PostgresDialect({ pool: guardedPool(pool, { silence, retired, onReadOnly }) }),
    pool,
    query: (text, values) => silence.answered(() => pool.query(text, values)),
    isUp: async () => {
      const found = await probe()
      if (found === 'read-only') onReadOnly()
      if (found === 'writable') onWritable()
      return found === 'writable'
    },
    script: (text) => runScript(pool, text),
    connect,
    openAlone: async (limit) => openAlone(await open(), limit, probes),
    close: async () => {
      silence.stop()
      await Promise.all([pool.end(), probes.end()])
    },
  }
}

type ProbeResult = 'writable' | 'read-only' | 'away'

function sharedProbe(probes: pg.Pool): () => Promise<ProbeResult> {
  const ask = async (): Promise<ProbeResult> => {
    const client = await probes.connect()
    try {
      const { rows } = await client.query("SELECT current_setting('transaction_read_only') AS read_only")
      const isWritable = rows[0]?.read_only === 'off'
      // A new connection may reach another server that is writable.
      client.release(!isWritable)
      return isWritable ? 'writable' : 'read-only'
    } catch (error) {
      client.release(true)
      throw error
    }
  }
  let asking: Promise<ProbeResult> | undefined
  return () => {
    asking ??= ask()
      .catch(() => 'away' as const)
      .finally(() => {
        asking = undefined
      })
    return asking
  }
}

async function openAlone(client: pg.Client, limit: number, others: pg.Pool) {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  // Both sides are ended, because a server continues the statement of a lost client, and a client without a network
  // connection keeps waiting.
  const cutOff = async () => {
    await others.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]).catch(ignore)
    await client.end()
  }
  const timer = setTimeout(cutOff, limit)
  const connection = { query: client.query.bind(client), release: ignore } as unknown as PostgresPoolClient
  return {
    dialect: new PostgresDialect({ pool: { connect: async () => connection, end: async () => {}, options: {} } }),
    end: async () => {
      clearTimeout(timer)
      await client.end()
    },
  }
}

async function runScript(pool: pg.Pool, text: string): Promise<Record<string, unknown>[][]> {
  const client = await pool.connect()
  try {
    const result = await client.query(text)
    client.release()
    return [result].flat().map(({ rows }) => rows)
  } catch (error) {
    // A failed script may leave a transaction open, so the connection is discarded.
    client.release(true)
    throw error
  }
}

const ignore = () => {}
