import { isCheckedSecret, newCheckedSecret } from '../../../lib/checked-secret.ts'
import { sha256 } from '../../../lib/hash.ts'
import { idFromHex } from '../../../lib/ids.ts'

const prefix = 'wat_'

export const newOpaqueToken = (): string => newCheckedSecret(prefix)

export const isOpaqueToken = (text: string): boolean => isCheckedSecret(prefix, text)

/**
 * The id of a token as an owner: the first 16 bytes of its SHA-256, in the form of a UUID. The signature of a JWT is left out,
 * because others can change it so that it is still valid.
 */
export function tokenIdOf(token: string): string {
  return idFromHex(sha256(isOpaqueToken(token) ? token : token.slice(0, token.lastIndexOf('.'))))
}
