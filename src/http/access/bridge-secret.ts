import { timingSafeEqual } from 'node:crypto'
import type { Config } from '../../config/load.ts'

const size = 512

export type BridgeSecrets = { configured: boolean; nameOf(header: unknown): string | undefined }

/** Compares fixed-size buffers and always checks all secrets to prevent timing attacks. */
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
      const input = write(header)
      let name: string | undefined
      for (const secret of secrets) {
        if (timingSafeEqual(input, secret.padded)) name = secret.name
      }
      return name
    },
  }
}

/** The buffer starts with the length so that secrets differing only in trailing zeros are not equal. */
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
