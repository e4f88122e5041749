import { timingSafeEqual } from 'node:crypto'
import type { Config } from '../../config/load.ts'
import type { UsageCounter } from '../../context/usage.ts'
import type { Context } from '../../context.ts'
import type { BridgeRight } from '../../db/rows/applications.ts'
import { applicationSecrets } from './application-secret.ts'
import type { KnownBridgeSecret, RequestWithSecret } from './known-secret.ts'

const size = 512

export interface BridgeSecrets {
  isConfigured(): boolean
  /** The caller counts each accepted request. */
  find(request: RequestWithSecret): KnownBridgeSecret | undefined
  /** The details for the audit trail about a secret that was rejected. */
  explain(request: RequestWithSecret): Record<string, unknown>
}

type SecretSettings = Pick<Config, 'BRIDGE_SECRET' | 'BRIDGE_SECRETS'>

const allSecrets = ({ BRIDGE_SECRET, BRIDGE_SECRETS }: SecretSettings) => [
  ...(BRIDGE_SECRET ? [{ name: 'default', value: BRIDGE_SECRET }] : []),
  ...BRIDGE_SECRETS,
]

export const bridgeSecretNames = (config: SecretSettings): string[] => allSecrets(config).map(({ name }) => name)

export function bridgeSecrets(ctx: Pick<Context, 'config' | 'applications' | 'usage' | 'clock'>): BridgeSecrets {
  const findInSettings = settingsSecrets(ctx.config, (name) => ctx.usage.counterOf('bridge_secret', name))
  const stored = applicationSecrets(ctx)
  const hasSome = bridgeSecretNames(ctx.config).length > 0
  return {
    isConfigured: () => hasSome || ctx.applications.current().hasSecrets,
    find: (request) => findInSettings(request.headers['x-bridge-secret']) ?? stored.find(request),
    explain: stored.explain,
  }
}

/** They have all rights of back ends except the one to act for a certain application. */
const mayBySettings = (right: BridgeRight): boolean => right !== 'permissions'

/** Compares fixed-size buffers and always checks all secrets, to prevent timing attacks. */
export function settingsSecrets(config: SecretSettings, counterOf: (name: string) => UsageCounter) {
  const secrets = allSecrets(config).map(({ name, value }) => ({
    name,
    uses: counterOf(name),
    application: undefined,
    may: mayBySettings,
    padded: paddedWriter()(value),
  }))
  const write = paddedWriter()
  return (header: unknown): KnownBridgeSecret | undefined => {
    if (typeof header !== 'string' || header.length >= size - 4) return undefined
    const input = write(header)
    let found: KnownBridgeSecret | undefined
    for (const secret of secrets) {
      if (timingSafeEqual(input, secret.padded)) found = secret
    }
    return found
  }
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
