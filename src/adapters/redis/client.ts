import { within } from '../within.ts'

type Library = typeof import('redis')
export type Client = ReturnType<typeof newClient>

const connectLimit = 1_000
const handshakeLimit = 500
const queueLength = 10_000

export const newClient = ({ createClient }: Library, url: string) =>
  createClient({
    url,
    // Reconnecting is ours alone, so that a connection that stalls is treated like one that broke.
    socket: { connectTimeout: connectLimit, reconnectStrategy: false },
    disableOfflineQueue: true,
    commandsQueueMaxLength: queueLength,
    // The library limits only the time until a command is written; ours covers the answer too.
    commandOptions: { timeout: undefined },
    maintNotifications: 'disabled',
  })

/** Connects and proves the connection within a time limit, or rejects and leaves nothing open. */
export async function openClient(
  client: Client,
  prove: (client: Client) => Promise<unknown>,
  lost: () => void,
): Promise<Client> {
  // Whatever fails also rejects a command or ends the connection; an 'error' that nobody hears would end the process.
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
