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
    // For BEGIN alone, below.
    pipeline: true,
  }
  const pool = new pg.Pool(options)
  // Probes have a connection of their own: that the others are busy does not mean that the server is gone.
  const probes = new pg.Pool({ ...options, max: 1, query_timeout: waitLimit })
  // The pool hangs the whole connection on the error, which is too much for a log.
  pool.on('error', (error) => onDown(Object.assign(error, { client: undefined })))
  probes.on('error', ignore)
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
  const { client, release } = hold(await pool.connect())
  try {
    const result = await client.query(text)
    release()
    return [result].flat().map(({ rows }) => rows)
  } catch (error) {
    // A script that failed may have left its transaction open: nobody else may get this connection.
    release(true)
    throw error
  }
}

/**
 * The pool listens to the connections that it holds itself. One that ends while we hold it must not end the process: the
 * statement that runs on it fails, or the next one does, and that is enough.
 */
function hold(client: pg.PoolClient) {
  client.on('error', ignore)
  const release = (isBroken = false) => {
    client.off('error', ignore)
    client.release(isBroken)
  }
  return { client, release }
}

const ignore = () => {}

const isBegin = (text: string): boolean => text === 'begin' || text.startsWith('start transaction')
const begun = { command: 'BEGIN', rowCount: 0, rows: [] }

const isReadTimeout = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout'

/** The pool as Kysely uses it: with names for its statements, a bounded queue, and no connection that waits for ever. */
function guardedPool(pool: pg.Pool): PostgresPool {
  const named = statementNames()
  const wrap = (connection: pg.PoolClient) => {
    const { client, release } = hold(connection)
    let stalled: unknown
    let opens = ''
    // BEGIN leaves with the statement after it, which saves every transaction a round trip. Should it fail, so does that.
    const ask = async (text: string, values: readonly unknown[]) => {
      const opening = opens && client.query(opens)
      opens = ''
      const asked = client.query(named(text, values))
      return opening ? (await Promise.all([opening, asked]))[1] : asked
    }
    const query = async (text: string, values: readonly unknown[]) => {
      if (stalled) throw stalled
      if (isBegin(text)) {
        opens = text
        return begun
      }
      try {
        return await ask(text, values)
      } catch (error) {
        // The answer may still come. Whatever is asked on this connection, a ROLLBACK too, would wait behind it.
        if (isReadTimeout(error)) stalled = error
        throw error
      }
    }
    // node-postgres types the command as any string; PostgreSQL sends the words that Kysely lists.
    return { query, release: () => release(stalled !== undefined) } as unknown as PostgresPoolClient
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
