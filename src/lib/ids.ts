import { randomBytes, randomInt, randomUUID } from 'node:crypto'

const maxSequence = 0xfff
const toleratedStep = 10_000

let lastTime = 0
let sequence = 0

/**
 * Returns a UUID version 7 (RFC 9562) for index locality. Ids are public and never serve as credentials. Those of one
 * process are in the order of their creation (section 6.2, method 1), so rows of the same millisecond can be sorted.
 */
export function newId(): string {
  const now = Date.now()
  const isBehind = now <= lastTime && lastTime - now <= toleratedStep
  if (isBehind && sequence < maxSequence) sequence++
  else {
    lastTime = isBehind ? lastTime + 1 : now
    // Starts in the lower half, which leaves at least 2,048 ids for the millisecond.
    sequence = randomInt((maxSequence + 1) / 2)
  }
  // Node.js 22 has no randomUUIDv7.
  const time = lastTime.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, '0')}${randomUUID().slice(18)}`
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

/** The first 16 bytes in hex, in the form of a UUID. */
export const idFromHex = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')

const nameAlphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

export function newUserName(): string {
  const letters = Array.from(randomBytes(10), (byte) => nameAlphabet[byte % nameAlphabet.length])
  return `user_${letters.join('')}`
}
