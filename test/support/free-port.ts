import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A free loopback port below the ephemeral port range so that no outgoing connection takes the port before the server
 * starts.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = lowest + Math.floor(Math.random() * span)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port between ${lowest} and ${lowest + span}`)
}

const lowest = 15_000
const span = 15_000

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
