import { within } from './within.ts'

/** What a long-lived PostgreSQL connection of our own needs of a `pg` client. */
export interface PgClient {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  on(event: 'notification', heard: (message: { payload?: string | undefined }) => void): unknown
  on(event: 'error' | 'end', ended: () => void): unknown
  end(): Promise<void>
}

interface OwnConnection {
  /** A connected client that nobody else uses; TCP keep-alive closes what even the end of it could not. */
  connect(): Promise<PgClient>
  /** Called when the connection breaks. */
  lost(): void
  /** The first statement. The connection counts only when it succeeds. */
  prove(client: PgClient): Promise<unknown>
  /** For each of the two steps. */
  timeoutMs: number
}

/** A connection outside the pool that has proved to work. Rejects in time, and then leaves nothing open. */
export async function openOwnConnection({ connect, lost, prove, timeoutMs }: OwnConnection): Promise<PgClient> {
  const client = await within(timeoutMs, connect(), endQuietly)
  client.on('error', lost)
  client.on('end', lost)
  try {
    await within(timeoutMs, prove(client))
    return client
  } catch (error) {
    endQuietly(client)
    throw error
  }
}

export function endQuietly(client: PgClient): void {
  // An 'error' that nobody hears would end the process, and this connection is given up anyway.
  client.on('error', () => {})
  client.end().catch(() => {})
}
