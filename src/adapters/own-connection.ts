import { within } from './within.ts'

export interface PgClient {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  on(event: 'notification', heard: (message: { payload?: string | undefined }) => void): unknown
  on(event: 'error' | 'end', ended: () => void): unknown
  end(): Promise<void>
}

interface OwnConnection {
  connect(): Promise<PgClient>
  lost(): void
  prove(client: PgClient): Promise<unknown>
  timeoutMs: number
}

/** Each step may take up to `timeoutMs`. If a step fails, the connection is closed. */
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
  // An unhandled 'error' event would crash the process. The error is ignored because the connection is discarded.
  client.on('error', () => {})
  client.end().catch(() => {})
}
