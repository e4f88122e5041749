import type { PostgresPool } from 'kysely'
import type pg from 'pg'
import { DatabaseUnresponsive, isReadOnly, PoolBusy } from './errors.ts'
import type { ResponsivenessWatch } from './responsiveness.ts'
import { statementNames } from './statement-names.ts'

const queueLimit = 200

const isReadTimeout = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout'

interface Guards {
  silence: ResponsivenessWatch
  retired: RetiredConnections
  onReadOnly(): void
}

export function guardedPool(pool: pg.Pool, { silence, retired, onReadOnly }: Guards): PostgresPool {
  const named = statementNames()
  const wrap = (client: pg.PoolClient) => {
    let stalled: unknown
    const query = async (text: string, values: readonly unknown[]) => {
      if (stalled) throw stalled
      try {
        return await silence.answered(() => client.query(named(text, values)))
      } catch (error) {
        // The server may still be busy, so any further statement on this connection, including ROLLBACK, would wait.
        if (isReadTimeout(error) || error instanceof DatabaseUnresponsive) stalled = error
        if (isReadOnly(error)) onReadOnly()
        throw error
      }
    }
    const release = () => client.release(stalled !== undefined || retired.has(client))
    return { query, release } as unknown as Awaited<ReturnType<PostgresPool['connect']>>
  }
  return {
    connect: async () => {
      for (;;) {
        if (pool.waitingCount >= queueLimit) throw new PoolBusy('too many requests are waiting for the database')
        const client = await silence.wait(
          () => pool.connect(),
          (late) => late.release(),
        )
        if (!retired.has(client)) return wrap(client)
        client.release(true)
      }
    },
    end: () => pool.end(),
    options: {},
  }
}

export interface RetiredConnections {
  has(client: pg.PoolClient): boolean
  retireAll(): void
}

export function retiredConnections(pool: pg.Pool): RetiredConnections {
  const open = new Set<pg.PoolClient>()
  const retired = new WeakSet<pg.PoolClient>()
  pool.on('connect', (client) => open.add(client))
  pool.on('remove', (client) => open.delete(client))
  return {
    has: (client) => retired.has(client),
    retireAll() {
      for (const client of open) retired.add(client)
    },
  }
}
