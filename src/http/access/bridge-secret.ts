import { timingSafeEqual } from 'node:crypto'
import type { Config } from '../../config/load.ts'
import type { UsageCounter } from '../../context/usage.ts'

const size = 512

export interface BridgeSecrets {
  configured: boolean
  nameOf(header: unknown): string | undefined
  /** The caller counts each accepted request. */
  find(header: unknown): KnownBridgeSecret | undefined
}

interface KnownBridgeSecret {
  name: string
  uses: UsageCounter
}

const allSecrets = ({ BRIDGE_SECRET, BRIDGE_SECRETS }: Pick<Config, 'BRIDGE_SECRET' | 'BRIDGE_SECRETS'>) => [
  ...(BRIDGE_SECRET ? [{ name: 'default', value: BRIDGE_SECRET }] : []),
  ...BRIDGE_SECRETS,
]

export const bridgeSecretNames = (config: Config): string[] => allSecrets(config).map(({ name }) => name)

/** Compares fixed-size buffers and always checks all secrets, to prevent timing attacks. */
export function bridgeSecrets(
  config: Config,
  counterOf: (name: string) => UsageCounter = () => ({ count: 0 }),
): BridgeSecrets {
  const secrets = allSecrets(config).map(({ name, value }) => ({
    name,
    uses: counterOf(name),
    padded: paddedWriter()(value),
  }))
  const write = paddedWriter()
  const find: BridgeSecrets['find'] = (header) => {
    if (typeof header !== 'string' || header.length >= size - 4) return undefined
    const input = write(header)
    let found: KnownBridgeSecret | undefined
    for (const secret of secrets) {
      if (timingSafeEqual(input, secret.padded)) found = secret
    }
    return found
  }
  return { configured: secrets.length > 0, find, nameOf: (header) => find(header)?.name }
}

/** The buffer starts with the length so that secrets differing only in trailing zero bytes compare as different. */
function paddedWriter(): (text: string) => Buffer {
  const buffer = Buffer.alloc(size)
  let before = 0
  return (text) => {
    // Header values are Latin-1. The rest of the buffer is zero.
    const written = buffer.write(text, 4, 'latin1')
    if (written < before) buffer.fill(0, 4 + written, 4 + before)
    before = written
    buffer.writeUInt32BE(written, 0)
    return buffer
  }
}
