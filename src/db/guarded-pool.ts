import type { PostgresPool } from 'kysely'
import type pg from 'pg'
import { DatabaseUnresponsive, PoolBusy, ServerLost } from './errors.ts'
import type { ResponsivenessWatch } from './responsiveness.ts'
import { onNextServer } from './server-client.ts'
import { statementNames } from './statement-names.ts'

const queueLimit = 200

const isReadTimeout = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout'

interface Guards {
  silence: ResponsivenessWatch
  retired: RetiredConnections
  onFault(error: unknown): void
}

export function guardedPool(pool: pg.Pool, { silence, retired, onFault }: Guards): PostgresPool {
  const named = statementNames()
  const wrap = (client: pg.PoolClient) => {
    let stalled: unknown
    const query = async (text: string, values: readonly unknown[]) => {
      if (retired.isStopped(client)) stalled ??= new ServerLost('another server has become the primary')
      if (stalled) throw stalled
      try {
        return await silence.answered(() => client.query(named(text, values)))
      } catch (error) {
        // The server may still be busy, so any other statement on this connection, including ROLLBACK, would wait.
        if (isReadTimeout(error) || error instanceof DatabaseUnresponsive) stalled = error
        onFault(error)
        throw error
      }
    }
    const release = () => client.release(stalled !== undefined || retired.has(client))
    return { query, release } as unknown as Awaited<ReturnType<PostgresPool['connect']>>
  }
  return {
    connect: async () => {
      if (pool.waitingCount >= queueLimit) throw new PoolBusy('too many requests are waiting for the database')
      return wrap(await silence.wait(retired.connect, (late) => late.release()))
    },
    end: () => pool.end(),
    options: {},
  }
}

export interface RetiredConnections {
  /** Returns a pool connection that has not been retired. */
  connect(): Promise<pg.PoolClient>
  has(client: pg.PoolClient): boolean
  isStopped(client: pg.PoolClient): boolean
  /**
   * Ends idle connections immediately. Connections in use end when they are released (`finish`) or immediately
   * (`stop`).
   */
  retireAll(inUse: 'finish' | 'stop'): void
}

export function retiredConnections(pool: pg.Pool): RetiredConnections {
  const open = new Set<pg.PoolClient>()
  const retired = new WeakSet<pg.PoolClient>()
  pool.on('connect', (client) => open.add(client))
  pool.on('remove', (client) => open.delete(client))
  const stopped = new WeakSet<pg.PoolClient>()
  const stop = (client: pg.PoolClient) => {
    stopped.add(client)
    // Fails a running statement immediately.
    ;(client as unknown as pg.Client).end().catch(ignore)
  }
  const has = (client: pg.PoolClient) => retired.has(client)
  return {
    async connect() {
      for (;;) {
        const client = await onNextServer(() => pool.connect())
        if (!has(client)) return client
        client.release(true)
      }
    },
    has,
    isStopped: (client) => stopped.has(client),
    retireAll(inUse) {
      for (const client of open) retired.add(client)
      if (inUse === 'stop') for (const client of open) stop(client)
      for (let idle = pool.idleCount; idle > 0; idle--)
        pool.connect().then((client) => client.release(has(client)), ignore)
    },
  }
}

const ignore = () => {}
