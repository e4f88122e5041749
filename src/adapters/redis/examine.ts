import { newClient, openClient, type RedisClient } from './client.ts'
import { redisReason } from './reason.ts'

/** Logs in and writes a key that expires at once. Returns the reason if Redis cannot be used. */
export async function examineRedisServer(url: string): Promise<string | undefined> {
  const library = await import('redis')
  try {
    const client = await openClient(newClient(library, url), writes, () => {})
    client.destroy()
    return undefined
  } catch (error) {
    return redisReason(error, url)
  }
}

/** A server that is full, read-only or failing still answers a PING. */
async function writes(client: RedisClient): Promise<void> {
  await client.sendCommand(['SET', 'wardenry:doctor', '1', 'PX', '1000'])
  await client.sendCommand(['EVAL', 'return 1', '0'])
}
