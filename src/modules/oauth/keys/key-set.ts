import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { type SealKey, unseal } from '../../../lib/seal.ts'
import type { Owner } from '../../../lib/versioned-cache.ts'
import type { SigningKeyRow } from '../directory-queries.ts'
import type { PublicJwk, SigningAlg } from '../rows.ts'
import { publicJwkOf } from './public-jwk.ts'

/** A key that verifies. */
export interface VerificationKey {
  readonly kid: string
  readonly alg: SigningAlg
  readonly publicKey: KeyObject
  readonly owner: Owner
}

export interface SigningKey extends VerificationKey {
  readonly privateKey: KeyObject
}

export interface KeySet {
  /**
   * Undefined until the first key of the algorithm is created. Unsealed on first use, so that a lost data key stops the
   * signing but not the verification.
   */
  signing(alg: SigningAlg): SigningKey | undefined
  /** The key with this id, if it may verify at this time. */
  verifying(kid: string, now: number): VerificationKey | undefined
  /** The key with this id, even if it is no longer published. Only for tokens that are hints and may have expired. */
  remembered(kid: string): VerificationKey | undefined
  /** The public keys for the JWKS at this time. */
  published(now: number): PublicJwk[]
}

export function createKeySet(dataKeys: readonly SealKey[], rows: readonly SigningKeyRow[]): KeySet {
  const verifying = new Map(rows.map((row) => [row.kid, { row, key: toVerification(row) }]))
  const current = new Map(rows.filter(({ status }) => status === 'current').map((row) => [row.alg, row]))
  const unsealed = new Map<SigningAlg, SigningKey>()
  const isPublished = (row: SigningKeyRow, now: number) =>
    row.published_until === null || row.published_until.getTime() > now
  return {
    signing(alg) {
      const row = current.get(alg)
      if (!row || unsealed.has(alg)) return unsealed.get(alg)
      const key = toSigning(dataKeys, row)
      unsealed.set(alg, key)
      return key
    },
    verifying(kid, now) {
      const found = verifying.get(kid)
      return found && isPublished(found.row, now) ? found.key : undefined
    },
    remembered: (kid) => verifying.get(kid)?.key,
    published: (now) => rows.filter((row) => isPublished(row, now)).map(({ public_jwk }) => publicJwkOf(public_jwk)),
  }
}

const toVerification = ({ kid, id, alg, public_jwk }: SigningKeyRow): VerificationKey => ({
  kid,
  alg,
  publicKey: createPublicKey({ key: { ...publicJwkOf(public_jwk) }, format: 'jwk' }),
  owner: { id, epoch: 1 },
})

/** Throws if the key was sealed under a data key that is not configured. */
const toSigning = (dataKeys: readonly SealKey[], row: SigningKeyRow): SigningKey => ({
  ...toVerification(row),
  privateKey: createPrivateKey({ key: JSON.parse(unseal(dataKeys, row.sealed_private)), format: 'jwk' }),
})
