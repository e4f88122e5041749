import { randomBytes, randomInt, randomUUIDv7 } from 'node:crypto'

/** A row id: UUID version 7 (RFC 9562), so that rows of one time lie together in an index. Public, never a credential. */
export const newId = (): string => randomUUIDv7()

/** 256 bits for a link or a cookie, in 43 characters of base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** Six digits that a person types. */
export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

const sessionTokenForm = /^ses_[A-Za-z0-9_-]{43}$/

/** The value that a session's holder keeps. It is stored nowhere; only its SHA-256 is. */
export const newSessionToken = (): string => `ses_${newSecret()}`

/** Anything else is refused without a look-up. */
export const looksLikeSessionToken = (value: string): boolean => sessionTokenForm.test(value)

const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const looksLikeId = (value: string): boolean => idForm.test(value)

const nameAlphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/** A user name for those who chose none: `user_` and ten characters that are hard to confuse. */
export function newUserName(): string {
  const letters = Array.from(randomBytes(10), (byte) => nameAlphabet[byte % nameAlphabet.length])
  return `user_${letters.join('')}`
}
