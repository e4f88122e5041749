import { within } from '../within.ts'

type Library = typeof import('redis')
export type RedisClient = ReturnType<typeof newClient>

const connectLimit = 1_000
const handshakeLimit = 500
const queueLength = 10_000

export const newClient = ({ createClient }: Library, url: string) =>
  createClient({
    url,
    // `keepConnected` handles reconnects because it also replaces stalled connections.
    socket: { connectTimeout: connectLimit, reconnectStrategy: false },
    disableOfflineQueue: true,
    commandsQueueMaxLength: queueLength,
    // The library's timeout covers only the time until a command is written.
    commandOptions: { timeout: 0 },
    maintNotifications: 'disabled',
  })

export async function openClient(
  client: RedisClient,
  prove: (client: RedisClient) => Promise<unknown>,
  lost: () => void,
): Promise<RedisClient> {
  // Errors are ignored here because every failure also rejects a command or ends the connection.
  client.on('error', () => {})
  client.on('terminated', lost)
  const close = () => client.destroy()
  try {
    await within(
      connectLimit + handshakeLimit,
      client.connect().then(() => prove(client)),
      close,
    )
    return client
  } catch (error) {
    close()
    throw error
  }
}
