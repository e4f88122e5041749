import { createHmac, hash, timingSafeEqual } from 'node:crypto'

/** Use this for secrets with at least 128 random bits, and `keyedHash` for shorter ones. */
export const sha256 = (value: string): string => hash('sha256', value, 'hex')

/** The form in which the database stores hashes of secrets, in half the space of the text. */
export const sha256Bytes = (value: string): Buffer => hash('sha256', value, 'buffer')

/** Uses HMAC-SHA-256 so that a stolen database does not reveal short values. `purpose` separates the key's uses. */
export const keyedHash = (key: string, purpose: string, value: string): string =>
  hmac(key, purpose, value).digest('base64url')

export const keyedHashBytes = (key: string, purpose: string, value: string): Buffer =>
  hmac(key, purpose, value).digest()

const hmac = (key: string, purpose: string, value: string) =>
  createHmac('sha256', key).update(purpose).update('\0').update(value)

export function equalSecrets(left: string, right: string): boolean {
  return timingSafeEqual(hash('sha256', left, 'buffer'), hash('sha256', right, 'buffer'))
}
