import { checkedSecret, isCheckedSecret, newCheckedSecret } from '../../../lib/checked-secret.ts'
import { keyedHashBytes } from '../../../lib/hash.ts'

const prefix = 'wrt_'

export const newRefreshToken = (): string => newCheckedSecret(prefix)

export const isRefreshToken = (text: string): boolean => isCheckedSecret(prefix, text)

/**
 * The token that replaces another one. It is computed, so that a request that is repeated gets the same one again although only
 * hashes are stored.
 */
export const successorOf = (authSecret: string, token: string, salt: Buffer): string =>
  checkedSecret(prefix, keyedHashBytes(authSecret, 'oauth-refresh', `${token}\n${salt.toString('base64url')}`))
