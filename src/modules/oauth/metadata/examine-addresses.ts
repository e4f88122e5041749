import type { Config } from '../../../config/load.ts'
import type { ModuleFinding } from '../../../hub/define-module.ts'
import { second } from '../../../lib/time.ts'
import { insertedAddresses } from './paths.ts'

const about = 'OAuth metadata'

/** Only if PUBLIC_URL has a path. Clients then read the metadata at the root of the host, where the proxy must forward it. */
export async function examineAddresses({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): Promise<ModuleFinding[]> {
  const addresses = insertedAddresses(PUBLIC_URL)
  if (addresses.length === 0) return []
  const arrived = await Promise.all(addresses.map((address) => isOurs(address, PUBLIC_URL)))
  const lost = addresses.filter((_, at) => !arrived[at])
  if (lost.length === 0) return [{ state: 'ok', about, text: `arrives at ${addresses.join(', ')}` }]
  const cause = `PUBLIC_URL has a path, but the metadata does not arrive at ${lost.join(', ')}`
  const paths = lost.map((address) => new URL(address).pathname).join(', ')
  const advice = `If the service is running, let the proxy forward these paths to it, without a redirect: ${paths}`
  return [{ state: 'notice', about, text: `${cause}\n${advice}` }]
}

async function isOurs(address: string, issuer: string): Promise<boolean> {
  try {
    const reply = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(5 * second) })
    return reply.ok && ((await reply.json()) as { issuer?: unknown }).issuer === issuer
  } catch {
    return false
  }
}
