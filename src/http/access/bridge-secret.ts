import { timingSafeEqual } from 'node:crypto'
import type { Config } from '../../config/load.ts'

const size = 512

/** The name of the secret that a header carries, or undefined. */
export type BridgeSecrets = { configured: boolean; nameOf(header: unknown): string | undefined }

/**
 * Compares in buffers of one fixed size, against every configured secret, so that time tells neither the length nor the
 * place of a difference. Only the header counts: a copy in the body or the address is none.
 */
export function bridgeSecrets(config: Config): BridgeSecrets {
  const all = [
    ...(config.BRIDGE_SECRET ? [{ name: 'default', value: config.BRIDGE_SECRET }] : []),
    ...config.BRIDGE_SECRETS,
  ]
  const secrets = all.map(({ name, value }) => ({ name, padded: paddedWriter()(value) }))
  const write = paddedWriter()
  return {
    configured: secrets.length > 0,
    nameOf(header) {
      if (typeof header !== 'string' || header.length >= size - 4) return undefined
      const given = write(header)
      let name: string | undefined
      for (const secret of secrets) {
        if (timingSafeEqual(given, secret.padded)) name = secret.name
      }
      return name
    },
  }
}

/** Length first, so that no secret equals another one followed by zeros. Every text goes into the same buffer. */
function paddedWriter(): (text: string) => Buffer {
  const buffer = Buffer.alloc(size)
  let before = 0
  return (text) => {
    // Headers arrive as Latin-1. Zeros stand already where nothing was written before.
    const written = buffer.write(text, 4, 'latin1')
    if (written < before) buffer.fill(0, 4 + written, 4 + before)
    before = written
    buffer.writeUInt32BE(written, 0)
    return buffer
  }
}
