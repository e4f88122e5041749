import { createHmac, hash, timingSafeEqual } from 'node:crypto'

/** For secrets with at least 128 random bits; short ones take `keyedHash`. */
export const sha256 = (value: string): string => hash('sha256', value, 'hex')

/**
 * HMAC-SHA-256 under a server key, so that whoever steals the database cannot try a million short values offline.
 * `purpose` keeps the uses of one key apart.
 */
export const keyedHash = (key: string, purpose: string, value: string): string =>
  createHmac('sha256', key).update(purpose).update('\0').update(value).digest('base64url')

/** Whole and exact, in time that does not depend on where two values differ. */
export function equalSecrets(left: string, right: string): boolean {
  return timingSafeEqual(hash('sha256', left, 'buffer'), hash('sha256', right, 'buffer'))
}
