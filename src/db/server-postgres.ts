import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { PoolBusy } from './errors.ts'
import { statementNames } from './statement-names.ts'

const waitLimit = 2_000
const queueLimit = 200

pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export interface ServerPostgres {
  dialect: Dialect
  pool: pg.Pool
  isUp(): Promise<boolean>
  /** Several statements in one text; the rows of each. */
  script(text: string): Promise<Record<string, unknown>[][]>
  /** A connection of its own that is not part of the pool, for LISTEN. */
  connect(): Promise<pg.Client>
  /** The same as a dialect, for work that takes longer than a request may; cut off after `limit` milliseconds. */
  openAlone(limit: number): Promise<{ dialect: Dialect; end: () => Promise<void> }>
  close(): Promise<void>
}

/** `onDown` hears of connections that broke while nobody used them. */
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
  // Probes have a connection of their own: that the others are busy does not mean that the server is gone.
  const probes = new pg.Pool({ ...options, max: 1, query_timeout: waitLimit })
  // The pool hangs the whole connection on the error, which is too much for a log.
  pool.on('error', (error) => onDown(Object.assign(error, { client: undefined })))
  probes.on('error', ignore)
  // The pool listens to those that it holds itself. One that ends while we have it, or on its way to us, must not end the
  // process: the statement that runs on it fails, or the next one does, and that is enough.
  for (const each of [pool, probes]) each.on('connect', (client) => client.on('error', ignore))
  const connect = async () => {
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
  return {
    dialect: new PostgresDialect({ pool: guardedPool(pool) }),
    pool,
    isUp: () =>
      probes.query('SELECT 1').then(
        () => true,
        () => false,
      ),
    script: (text) => runScript(pool, text),
    connect,
    openAlone: async (limit) => openAlone(await connect(), limit, probes),
    close: async () => void (await Promise.all([pool.end(), probes.end()])),
  }
}

async function openAlone(client: pg.Client, limit: number, others: pg.Pool) {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  // The server goes on with what a client has asked for, whatever becomes of the client.
  const cutOff = () => void others.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]).catch(ignore)
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
    // A script that failed may have left its transaction open: nobody else may get this connection.
    client.release(true)
    throw error
  }
}

const ignore = () => {}

const isReadTimeout = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout'

/** The pool as Kysely uses it: with names for its statements, a bounded queue, and no connection that waits for ever. */
function guardedPool(pool: pg.Pool): PostgresPool {
  const named = statementNames()
  const wrap = (client: pg.PoolClient) => {
    let stalled: unknown
    const query = async (text: string, values: readonly unknown[]) => {
      if (stalled) throw stalled
      try {
        return await client.query(named(text, values))
      } catch (error) {
        // The answer may still come. Whatever is asked on this connection, a ROLLBACK too, would wait behind it.
        if (isReadTimeout(error)) stalled = error
        throw error
      }
    }
    // node-postgres types the command as any string; PostgreSQL sends the words that Kysely lists.
    return { query, release: () => client.release(stalled !== undefined) } as unknown as PostgresPoolClient
  }
  return {
    connect: async () => {
      if (pool.waitingCount >= queueLimit) throw new PoolBusy('too many requests wait for the database')
      return wrap(await pool.connect())
    },
    end: () => pool.end(),
    options: {},
  }
}
