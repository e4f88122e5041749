import {
  type DatabaseConnection,
  type Dialect,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
  type PostgresPoolClient,
} from 'kysely'
import type { Tracing } from '../../adapters/tracing/port.ts'
import { tracedPool } from '../traced-pool.ts'
import type { EngineLease } from './lease.ts'

/** Destroying the Kysely instance does not close the engine, which is shared. */
export function embeddedDialect(takeLease: () => Promise<EngineLease>, tracing: Tracing | undefined): Dialect {
  let lastRelease = Promise.resolve()
  const pool: PostgresPool = {
    connect: async () => {
      const { query, release } = await takeLease()
      return {
        // The second overload is for cursors, which are not used.
        query: query as unknown as PostgresPoolClient['query'],
        release: () => {
          lastRelease = release()
          lastRelease.catch(() => {})
        },
      }
    },
    end: async () => {},
    options: {},
  }
  const createDriver = () => new EmbeddedDriver({ pool: tracedPool(pool, tracing) }, () => lastRelease)
  return Object.assign(new PostgresDialect({ pool }), { createDriver })
}

/** `PostgresDriver` does not wait for the pool's `release`, but a result is durable only after `release`. */
class EmbeddedDriver extends PostgresDriver {
  readonly #lastRelease: () => Promise<void>

  constructor(config: ConstructorParameters<typeof PostgresDriver>[0], lastRelease: () => Promise<void>) {
    super(config)
    this.#lastRelease = lastRelease
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const released = super.releaseConnection(connection as never)
    const durable = this.#lastRelease()
    await released
    await durable
  }
}
