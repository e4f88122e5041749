import { Kysely } from 'kysely'
import type { Client } from 'pg'
import type { PoolUse } from '../adapters/metrics/port.ts'
import type { Tracing } from '../adapters/tracing/port.ts'
import { spaceCheck } from '../lib/free-space.ts'
import { hour, minute } from '../lib/time.ts'
import type { AdvisoryLock } from './advisory-locks.ts'
import { type EmbeddedDatabase, openEmbedded } from './embedded/open.ts'
import { DatabaseUnresponsive, PoolBusy, ReadOnlyServer } from './errors.ts'
import { exclusiveInProcess, exclusiveOnServer, type RunExclusive } from './exclusive.ts'
import type { DatabaseState } from './probe.ts'
import { openServerPostgres } from './server-postgres.ts'
import type { Db, Tables } from './tables.ts'

const aloneLimit = 24 * hour
const commandLimits = { waitLimit: 10 * minute, statementLimit: 10 * minute }

type Rows = <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>

export interface Database {
  kind: 'postgres' | 'embedded'
  db: Db
  query: Rows
  exec(text: string): Promise<Record<string, unknown>[][]>
  /** Runs work that only one process may do at a time. Throws LockTaken if another process holds the lock. */
  exclusive: RunExclusive
  isLocked(lock: AdvisoryLock): Promise<boolean>
  /**
   * Runs a long operation without the usual statement timeout. On a PostgreSQL server, the operation gets its own
   * connection.
   */
  alone<Result>(work: (db: Db) => Promise<Result>): Promise<Result>
  /** The result does not depend on pool load. Without free disk space, the embedded database reports `read-only`. */
  state(): Promise<DatabaseState>
  /** Rejects with the reason if the database cannot serve sign-ins. A server that does not answer takes 2 s. */
  checkSignIns(): Promise<void>
  connections(): PoolUse
  /** Opens a connection for LISTEN. Undefined for the embedded database, which serves one process. */
  listen: (() => Promise<Client>) | undefined
  dump(): Promise<Uint8Array>
  /** Adds a handler that runs before a command receives a copy of the embedded database. */
  beforeCopy(handler: () => Promise<void>): void
  close(): Promise<void>
}

interface Options {
  url: string | undefined
  poolMax: number
  dataDir: string | undefined
  archive: string | undefined
  /** See `EmbeddedOptions`. */
  firstStatement?: string
  onDown: (error: Error) => void
  tracing?: Tracing | undefined
  /** Allows long waits and statements, because commands do not serve requests. */
  isForCommand?: boolean
}

export async function connectDatabase(options: Options): Promise<Database> {
  return options.url === undefined ? openEmbeddedDatabase(options) : openServerDatabase(options.url, options)
}

async function openEmbeddedDatabase({ dataDir, onDown, isForCommand, ...options }: Options): Promise<Database> {
  const { archive, firstStatement, tracing } = options
  const limits = isForCommand && commandLimits
  const embedded = await openEmbedded({ dataDir, archive, firstStatement, tracing, ...limits })
  const hasSpace = dataDir === undefined ? async () => true : spaceCheck(dataDir)
  embedded.onExit(onDown)
  const db = new Kysely<Tables>({ dialect: embedded.dialect })
  const state = async () => {
    if (!(await responds(embedded))) return 'away'
    return (await hasSpace()) ? 'writable' : 'read-only'
  }
  return {
    kind: 'embedded',
    db,
    ...exclusiveInProcess(db),
    query: (text, values) => embedded.query(text, values),
    exec: (text) => embedded.exec(text),
    alone: (work) => work(new Kysely<Tables>({ dialect: embedded.longDialect(aloneLimit) })),
    state,
    checkSignIns: async () => assertWritable(await state()),
    connections: embedded.connections,
    listen: undefined,
    dump: () => embedded.dump(),
    beforeCopy: (handler) => embedded.beforeCopy(handler),
    close: () => embedded.close(),
  }
}

function assertWritable(state: DatabaseState): void {
  if (state === 'away') throw new DatabaseUnresponsive('the database does not answer')
  if (state === 'read-only') throw new ReadOnlyServer('the database is read-only or has no disk space left')
}

const responds = (embedded: EmbeddedDatabase): Promise<boolean> =>
  embedded.query('SELECT 1').then(
    () => true,
    (error) => error instanceof PoolBusy,
  )

async function openServerDatabase(url: string, { poolMax, onDown, tracing, isForCommand }: Options): Promise<Database> {
  const limits = isForCommand && { statementLimit: commandLimits.statementLimit }
  const server = openServerPostgres(url, poolMax, onDown, { tracing, ...limits })
  const db = new Kysely<Tables>({ dialect: server.dialect })
  return {
    kind: 'postgres',
    db,
    query: async (text, values) => (await server.query(text, [...values])).rows,
    exec: server.script,
    alone: async (work) => {
      const { dialect, end } = await server.openAlone(aloneLimit)
      try {
        return await work(new Kysely<Tables>({ dialect }))
      } finally {
        await end()
      }
    },
    ...exclusiveOnServer(server, db),
    state: server.state,
    checkSignIns: async () => {
      assertWritable(await server.state())
      await server.checkSignIns()
    },
    connections: server.connections,
    listen: server.connect,
    dump: async () => {
      throw new Error('use pg_dump for a PostgreSQL server')
    },
    beforeCopy: () => {},
    // Kysely's `destroy` method closes only pools that Kysely has used.
    close: server.close,
  }
}
