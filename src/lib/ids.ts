import { randomBytes, randomInt, randomUUID } from 'node:crypto'

/** Returns a UUID version 7 (RFC 9562) for index locality. Ids are public and never serve as credentials. */
export function newId(): string {
  // Node.js 22 has no randomUUIDv7.
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** Returns 256 random bits as 43 base64url characters. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

const sessionTokenForm = /^ses_[A-Za-z0-9_-]{43}$/

/** Only the token's SHA-256 hash is stored. */
export const newSessionToken = (): string => `ses_${newSecret()}`

export const looksLikeSessionToken = (value: string): boolean => sessionTokenForm.test(value)

const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const looksLikeId = (value: string): boolean => idForm.test(value)

const nameAlphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

export function newUserName(): string {
  const letters = Array.from(randomBytes(10), (byte) => nameAlphabet[byte % nameAlphabet.length])
  return `user_${letters.join('')}`
}
