import { Kysely } from 'kysely'
import type { Client } from 'pg'
import { openEmbedded } from './embedded.ts'
import { PoolBusy } from './errors.ts'
import { openServerPostgres } from './server-postgres.ts'
import type { Db, Tables } from './tables.ts'

type Rows = <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>

/** The open database, whichever of the two it is. */
export interface Database {
  kind: 'postgres' | 'embedded'
  db: Db
  /** One statement outside any transaction: for the few places that do not speak Kysely. */
  query: Rows
  /** Several statements in one go, without parameters: for pg-boss. */
  exec(text: string): Promise<Record<string, unknown>[][]>
  /**
   * A transaction that the time limits of requests do not end: it has a connection of its own, where there are several.
   * After `limit` milliseconds it is cut off, and leaves nothing.
   */
  longTransaction<Result>(limit: number, work: (db: Db) => Promise<Result>): Promise<Result>
  /** Whether it answers at all, however busy it is with our own statements. */
  isUp(): Promise<boolean>
  /** A connection of its own for LISTEN; undefined on the embedded database, which has one process anyway. */
  listen: (() => Promise<Client>) | undefined
  /** The data directory as a gzipped tar file; the embedded database only. */
  dump(): Promise<Uint8Array>
  close(): Promise<void>
}

interface Options {
  url: string | undefined
  poolMax: number
  /** Undefined: in memory, for tests. */
  dataDir: string | undefined
  archive: string | undefined
  onDown: (error: Error) => void
}

export async function connectDatabase(options: Options): Promise<Database> {
  return options.url === undefined ? openEmbeddedDatabase(options) : openServerDatabase(options.url, options)
}

async function openEmbeddedDatabase({ dataDir, archive, onDown }: Options): Promise<Database> {
  const embedded = await openEmbedded({ dataDir, archive })
  embedded.onExit(onDown)
  const db = new Kysely<Tables>({ dialect: embedded.dialect })
  return {
    kind: 'embedded',
    db,
    longTransaction: (_limit, work) => db.transaction().execute(work),
    query: (text, values) => embedded.query(text, values),
    exec: (text) => embedded.exec(text),
    isUp: () =>
      embedded.query('SELECT 1').then(
        () => true,
        (error) => error instanceof PoolBusy,
      ),
    listen: undefined,
    dump: () => embedded.dump(),
    close: () => embedded.close(),
  }
}

async function openServerDatabase(url: string, { poolMax, onDown }: Options): Promise<Database> {
  const server = openServerPostgres(url, poolMax, onDown)
  const db = new Kysely<Tables>({ dialect: server.dialect })
  return {
    kind: 'postgres',
    db,
    query: async (text, values) => (await server.pool.query(text, [...values])).rows,
    exec: server.script,
    longTransaction: async (limit, work) => {
      const { dialect, end } = await server.openAlone(limit)
      try {
        return await new Kysely<Tables>({ dialect }).transaction().execute(work)
      } finally {
        await end()
      }
    },
    isUp: server.isUp,
    listen: server.connect,
    dump: async () => {
      throw new Error('use pg_dump for a PostgreSQL server')
    },
    // Kysely would close only a pool that it has used itself.
    close: server.close,
  }
}
