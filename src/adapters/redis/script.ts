import { hash } from 'node:crypto'
import type { RedisClient } from './client.ts'

export interface RedisScript {
  text: string
  digest: string
}

export const defineScript = (text: string): RedisScript => ({ text, digest: hash('sha1', text) })

/** Sends the text of the script if the server has not cached the script, for example after a restart. */
export async function evaluate(
  client: RedisClient,
  script: RedisScript,
  keys: string[],
  values: string[],
): Promise<unknown> {
  const rest = [String(keys.length), ...keys, ...values]
  try {
    return await client.sendCommand(['EVALSHA', script.digest, ...rest])
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
    return client.sendCommand(['EVAL', script.text, ...rest])
  }
}
