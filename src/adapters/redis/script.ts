import { hash } from 'node:crypto'
import type { Client } from './client.ts'

/** A Lua script: one step for the server, whatever it reads and writes. */
export interface Script {
  text: string
  digest: string
}

export const defineScript = (text: string): Script => ({ text, digest: hash('sha1', text) })

/** By its digest once the server knows the script; a server that was restarted gets the text again. */
export async function evaluate(client: Client, script: Script, keys: string[], values: string[]): Promise<unknown> {
  const rest = [String(keys.length), ...keys, ...values]
  try {
    return await client.sendCommand(['EVALSHA', script.digest, ...rest])
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
    return client.sendCommand(['EVAL', script.text, ...rest])
  }
}
