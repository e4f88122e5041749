import pg from 'pg'
import { type DatabaseAddress, type DatabaseHost, hostName, type ServerTarget } from '../config/database-address.ts'
import { ReadOnlyServer, ServerLost } from './errors.ts'
import { reasonOf, type ServerFinder, serverFinder } from './find-server.ts'
import { formerPrimaryCheck } from './former-primary.ts'
import { FixedTextClient } from './session-settings.ts'

const defaultConnectLimit = 2_000

export interface ServerClients {
  /** A client that connects to a server satisfying `target_session_attrs`. */
  Client: new (
    config: pg.ClientConfig,
  ) => pg.Client
  forget(): void
  /** Starts a search immediately because the server in use may have failed. */
  search(): void
}

/** `onMove` runs when a search finds a different server. */
export function serverClients(address: DatabaseAddress, onMove: () => void): ServerClients {
  const connectionTimeoutMillis = address.connectTimeoutMs ?? defaultConnectLimit
  const driverConfig = { connectionString: address.url, connectionTimeoutMillis }

  const rejectFormerPrimary = formerPrimaryCheck()
  const tryHost = async (host: DatabaseHost) => {
    const client = new pg.Client({
      ...driverConfig,
      query_timeout: connectionTimeoutMillis,
      application_name: 'wardenry-search',
    })
    Object.assign(client, host)
    client.on('error', ignore)
    try {
      await client.connect()
      await assertSuitable(client, address.target)
      if (address.target !== 'any') await rejectFormerPrimary(client)
    } finally {
      client.end().catch(ignore)
    }
  }
  const finder = serverFinder(address, tryHost, onMove)
  const Client = class extends FixedTextClient {
    constructor(config: pg.ClientConfig) {
      super({ ...config, ...driverConfig })
      // A connection error must not crash the process. The error is ignored because the running statement also fails.
      this.on('error', ignore)
    }
    override connect(): Promise<pg.Client>
    override connect(done: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void
    override connect(done?: (error: never, client: pg.Client) => void): Promise<pg.Client> | undefined {
      const connected = connectTo(finder, this, () => super.connect(), address.target)
      if (!done) return connected
      const report = done as (error: unknown, client: pg.Client) => void
      connected.then(
        () => report(null, this),
        (error) => report(error, this),
      )
      return undefined
    }
  }
  const search = () => {
    finder.forget()
    finder.find().catch(ignore)
  }
  return { Client, forget: finder.forget, search }
}

async function connectTo(
  finder: ServerFinder,
  client: pg.Client,
  connect: () => Promise<unknown>,
  target: ServerTarget,
): Promise<pg.Client> {
  const host = await finder.find()
  // The driver resolves the host name for every connection, so DNS changes take effect.
  if (host) Object.assign(client, host)
  try {
    await connect()
    await assertSuitable(client, target)
    // A former primary may have responded late, after a promoted standby was found.
    if (host && finder.hasMovedFrom(host)) throw new Error('another server was found meanwhile')
    return client
  } catch (error) {
    client.end().catch(ignore)
    if (!host || !finder.hasMovedFrom(host)) finder.forget()
    throw host ? new ServerLost(`${hostName(host)}: ${reasonOf(error)}`, { cause: error }) : error
  }
}

const checks: Record<ServerTarget, string | undefined> = {
  any: undefined,
  'read-write': "SELECT current_setting('transaction_read_only') = 'on' AS refused",
  primary: 'SELECT pg_is_in_recovery() AS refused',
}

async function assertSuitable(client: pg.Client, target: ServerTarget): Promise<void> {
  const check = checks[target]
  if (!check) return
  const { rows } = await client.query<{ refused: boolean }>(check)
  if (rows[0]?.refused !== false) throw new ReadOnlyServer(rejections[target])
}

const rejections: Partial<Record<ServerTarget, string>> = {
  'read-write': 'the server is read-only',
  primary: 'the server is a standby',
}

/** Retries `connect` once if the server in use was lost. The second attempt searches for another server. */
export async function onNextServer<Value>(connect: () => Promise<Value>): Promise<Value> {
  try {
    return await connect()
  } catch (error) {
    if (!(error instanceof ServerLost)) throw error
    return connect()
  }
}

const ignore = () => {}
