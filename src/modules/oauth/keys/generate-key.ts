import { createHash, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { type SealKey, seal } from '../../../lib/seal.ts'
import type { PublicJwk, SigningAlg } from '../rows.ts'

export interface GeneratedKey {
  kid: string
  alg: SigningAlg
  publicJwk: PublicJwk
  /** The private JWK, encrypted under DATA_KEYS. */
  sealedPrivate: string
}

const generate = promisify(generateKeyPair)

const generators = {
  ES256: () => generate('ec', { namedCurve: 'P-256' }),
  EdDSA: () => generate('ed25519'),
  RS256: () => generate('rsa', { modulusLength: 2048 }),
} as const satisfies Record<SigningAlg, unknown>

/** The required members of each key type in the order of their names (RFC 7638, 3.2, and RFC 8037, 2). */
const thumbprintMembers = {
  ES256: ['crv', 'kty', 'x', 'y'],
  EdDSA: ['crv', 'kty', 'x'],
  RS256: ['e', 'kty', 'n'],
} as const satisfies Record<SigningAlg, readonly (keyof PublicJwk)[]>

/** An RSA key takes a tenth of a second, so call this before the transaction. */
export async function generateKey(dataKeys: readonly SealKey[], alg: SigningAlg): Promise<GeneratedKey> {
  const { publicKey, privateKey } = await generators[alg]()
  const jwk = publicKey.export({ format: 'jwk' })
  const members = thumbprintMembers[alg].map((name) => [name, String(jwk[name])] as const)
  const kid = createHash('sha256')
    .update(JSON.stringify(Object.fromEntries(members)))
    .digest('base64url')
  return {
    kid,
    alg,
    publicJwk: { kty: '', ...Object.fromEntries(members), kid, alg, use: 'sig' },
    sealedPrivate: seal(dataKeys, JSON.stringify(privateKey.export({ format: 'jwk' }))),
  }
}
