import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type { Lease } from './embedded-lease.ts'

/**
 * Kysely's own PostgreSQL dialect on a pool of one connection. Destroying Kysely closes nothing: the engine serves
 * others too, and whoever opened it closes it.
 */
export function embeddedDialect(takeLease: () => Promise<Lease>): Dialect {
  const pool: PostgresPool = {
    connect: async () => connection(await takeLease()),
    end: async () => {},
    options: {},
  }
  return new PostgresDialect({ pool })
}

// Kysely's type has a second form with a cursor, for streams. Without `cursor` in its options it is never called.
const connection = ({ query, release }: Lease): PostgresPoolClient => ({
  query: query as unknown as PostgresPoolClient['query'],
  release: () => void release(),
})
