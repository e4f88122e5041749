import pg from 'pg'
import { type DatabaseHost, hostName, readDatabaseAddress } from '../config/database-address.ts'
import { reasonOf } from './find-server.ts'

export interface ServerState {
  host: string
  state: 'primary' | 'read-only' | 'standby' | 'unusable'
  reason: string | undefined
}

const timeLimit = 5_000

/** Connects to every host in the URI, even those that do not satisfy `target_session_attrs`. */
export async function examineServers(url: string): Promise<ServerState[]> {
  const address = readDatabaseAddress(url)
  return Promise.all(address.hosts.map((host) => examine(address.url, host)))
}

async function examine(connectionString: string, host: DatabaseHost): Promise<ServerState> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: timeLimit, query_timeout: timeLimit })
  Object.assign(client, host)
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ standby: boolean; readonly: boolean }>(
      "SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS readonly",
    )
    const { standby = false, readonly = false } = rows[0] ?? {}
    return {
      host: hostName(host),
      state: standby ? 'standby' : readonly ? 'read-only' : 'primary',
      reason: undefined,
    }
  } catch (error) {
    return { host: hostName(host), state: 'unusable', reason: reasonOf(error) }
  } finally {
    client.end().catch(() => {})
  }
}
