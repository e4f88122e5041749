import type pg from 'pg'
import { isReadOnly } from './errors.ts'

export type ProbeResult = 'writable' | 'read-only' | 'away'

/** Concurrent callers share one probe. */
export function sharedProbe(connect: () => Promise<pg.PoolClient>): () => Promise<ProbeResult> {
  const ask = async (): Promise<ProbeResult> => {
    const client = await connect()
    try {
      const { rows } = await client.query("SELECT current_setting('transaction_read_only') AS read_only")
      const isWritable = rows[0]?.read_only === 'off'
      // A new connection may reach a different server, which is writable.
      client.release(!isWritable)
      return isWritable ? 'writable' : 'read-only'
    } catch (error) {
      client.release(true)
      throw error
    }
  }
  let asking: Promise<ProbeResult> | undefined
  return () => {
    asking ??= ask()
      .catch((error) => (isReadOnly(error) ? 'read-only' : 'away'))
      .finally(() => {
        asking = undefined
      })
    return asking
  }
}
