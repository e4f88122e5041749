import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { PoolUse } from '../adapters/metrics/port.ts'
import type { Tracing } from '../adapters/tracing/port.ts'
import { readDatabaseAddress } from '../config/database-address.ts'
import { isReadOnly, isServerLeaving } from './errors.ts'
import { guardedPool, retiredConnections } from './guarded-pool.ts'
import { type DatabaseState, sharedProbe } from './probe.ts'
import { watchResponsiveness } from './responsiveness.ts'
import { onNextServer, serverClients } from './server-client.ts'
import { signInCheck } from './sign-in-check.ts'
import { tracedPool } from './traced-pool.ts'

const waitLimit = 2_000
/** In milliseconds. */
const requestLimit = 5_000
/** In milliseconds. Connections to a server that accepts no writes are replaced at most once in this interval. */
const leaveEvery = 1_000

export interface ServerPostgres {
  dialect: Dialect
  pool: pg.Pool
  query(text: string, values: unknown[]): Promise<pg.QueryResult>
  state(): Promise<DatabaseState>
  /** See `signInCheck`. */
  checkSignIns(): Promise<void>
  connections(): PoolUse
  script(text: string): Promise<Record<string, unknown>[][]>
  connect(): Promise<pg.Client>
  /** A connection for work that takes longer than a request. Closed after `limit` milliseconds. */
  openAlone(limit: number): Promise<DedicatedConnection>
  close(): Promise<void>
}

export interface DedicatedConnection {
  dialect: Dialect
  /**
   * Records which backend to terminate. Call this at the start of the transaction, because a pooler may switch
   * connections between transactions.
   */
  identify(): Promise<void>
  end(): Promise<void>
}

interface ServerOptions {
  tracing?: Tracing | undefined
  /** In milliseconds, for one statement. */
  statementLimit?: number
}

export function openServerPostgres(
  url: string,
  max: number,
  onDown: (error: Error) => void,
  { tracing, statementLimit = requestLimit }: ServerOptions = {},
): ServerPostgres {
  const clients = serverClients(readDatabaseAddress(url), () => dropAll('stop'))
  const options: pg.PoolConfig = {
    Client: clients.Client as unknown as new () => pg.ClientBase,
    max,
    connectionTimeoutMillis: waitLimit,
    statement_timeout: statementLimit,
    lock_timeout: 3_000,
    idle_in_transaction_session_timeout: 10_000,
    query_timeout: statementLimit + 2_000,
    keepAlive: true,
    application_name: 'wardenry',
  }
  const pool = new pg.Pool(options)
  // Probes have their own connections because a busy pool does not mean that the server is down.
  const probes = new pg.Pool({ ...options, max: 2, query_timeout: waitLimit })
  const dedicated = { listening: new Set<pg.Client>(), alone: new Set<pg.Client>() }
  const open = async (group: Set<pg.Client>) => {
    const client = await onNextServer(() =>
      new clients.Client({ keepAlive: true, application_name: 'wardenry-listen' }).connect(),
    )
    group.add(client)
    client.on('end', () => group.delete(client))
    return client
  }
  const retired = retiredConnections(pool)
  const probeConnections = retiredConnections(probes)
  /** With `stop`, work on the former server can no longer be committed. */
  const dropAll = (inUse: 'finish' | 'stop') => {
    for (const each of [retired, probeConnections]) each.retireAll(inUse)
    for (const client of dedicated.listening) client.end().catch(ignore)
    if (inUse === 'stop') for (const client of dedicated.alone) client.end().catch(ignore)
  }
  let leftAt = Number.NEGATIVE_INFINITY
  let wasReadOnly = false
  // After a failover, old connections may still point to the read-only server.
  const leaveServer = () => {
    if (performance.now() - leftAt < leaveEvery) return
    leftAt = performance.now()
    clients.forget()
    retired.retireAll('finish')
  }
  const onFault = (error: unknown) => {
    if (isReadOnly(error)) wasReadOnly = true
    if (isReadOnly(error) || isServerLeaving(error)) leaveServer()
  }
  const probe = sharedProbe(probeConnections.connect)
  const checkServer = async () => {
    const found = await probe()
    // Without this, the next connection would first try a server that does not respond.
    if (found === 'away') clients.forget()
    if (found === 'read-only') {
      wasReadOnly = true
      leaveServer()
    }
    if (found === 'writable' && wasReadOnly) {
      wasReadOnly = false
      dropAll('finish')
    }
    return found
  }
  const silence = watchResponsiveness(async () => {
    clients.search()
    return (await checkServer()) !== 'away'
  }, waitLimit)
  // The pool attaches the connection object to the error, but this object must not appear in a log.
  pool.on('error', (error) => {
    onFault(error)
    onDown(Object.assign(error, { client: undefined }))
  })
  probes.on('error', ignore)
  const guarded = guardedPool(pool, { silence, retired, onFault })
  const withClient = async <Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
    const client = await retired.connect()
    try {
      const result = await work(client)
      client.release(retired.has(client))
      return result
    } catch (error) {
      onFault(error)
      // The connection is discarded because a failed script may leave a transaction open.
      client.release(true)
      throw error
    }
  }
  let closing: Promise<unknown> | undefined
  return {
    dialect: new PostgresDialect({ pool: tracedPool(guarded, tracing) }),
    pool,
    query: (text, values) => silence.answered(() => withClient((client) => client.query(text, values))),
    state: checkServer,
    checkSignIns: signInCheck(probeConnections.connect),
    connections: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    script: (text) => withClient(async (client) => [await client.query(text)].flat().map(({ rows }) => rows)),
    connect: () => open(dedicated.listening),
    openAlone: async (limit) => openAlone(await open(dedicated.alone), limit, probes),
    close: async () => {
      silence.stop()
      closing ??= Promise.all([pool.end(), probes.end()])
      await closing
    },
  }
}

async function openAlone(client: pg.Client, limit: number, others: pg.Pool): Promise<DedicatedConnection> {
  let own: { pid: number; server: string } | undefined
  // The server continues the statement of a lost client, and a client without a network connection keeps waiting. The
  // time limit ends both.
  const cutOff = async () => {
    // After a failover, the same process id may identify another connection.
    await others
      .query('SELECT pg_terminate_backend($1) WHERE pg_postmaster_start_time()::text = $2', [own?.pid, own?.server])
      .catch(ignore)
    await client.end().catch(ignore)
  }
  const timer = setTimeout(cutOff, limit)
  const connection = { query: client.query.bind(client), release: ignore } as unknown as PostgresPoolClient
  return {
    dialect: new PostgresDialect({ pool: { connect: async () => connection, end: async () => {}, options: {} } }),
    identify: async () => {
      const { rows } = await client.query<{ pid: number; server: string }>(
        'SELECT pg_backend_pid() AS pid, pg_postmaster_start_time()::text AS server',
      )
      own = rows[0]
    },
    end: async () => {
      clearTimeout(timer)
      await client.end()
    },
  }
}

const ignore = () => {}
