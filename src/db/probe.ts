import type pg from 'pg'
import { isReadOnly } from './errors.ts'

/** `away`: the server does not respond. */
export type DatabaseState = 'writable' | 'read-only' | 'away'

/** Concurrent callers share one probe. */
export function sharedProbe(connect: () => Promise<pg.PoolClient>): () => Promise<DatabaseState> {
  const ask = async (): Promise<DatabaseState> => {
    const client = await connect()
    try {
      // Fails if times cannot be read, because requests would fail, too.
      const { rows } = await client.query("SELECT current_setting('transaction_read_only') AS read_only, now()")
      const isWritable = rows[0]?.read_only === 'off'
      // The connection is discarded because a new one may reach a writable server.
      client.release(!isWritable)
      return isWritable ? 'writable' : 'read-only'
    } catch (error) {
      client.release(true)
      throw error
    }
  }
  let asking: Promise<DatabaseState> | undefined
  return () => {
    asking ??= ask()
      .catch((error) => (isReadOnly(error) ? 'read-only' : 'away'))
      .finally(() => {
        asking = undefined
      })
    return asking
  }
}
