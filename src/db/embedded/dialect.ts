import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type { EngineLease } from './lease.ts'

/** Destroying Kysely does not close the engine, because it is shared. */
export function embeddedDialect(takeLease: () => Promise<EngineLease>): Dialect {
  const pool: PostgresPool = {
    connect: async () => connection(await takeLease()),
    end: async () => {},
    options: {},
  }
  return new PostgresDialect({ pool })
}

// The second overload is for cursors, which are not used.
const connection = ({ query, release }: EngineLease): PostgresPoolClient => ({
  query: query as unknown as PostgresPoolClient['query'],
  release: () => void release(),
})
