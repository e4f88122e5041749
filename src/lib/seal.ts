import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** A 32-byte key. In a list of keys, the first key encrypts, and all keys decrypt. */
export interface SealKey {
  id: string
  key: Buffer
}

/** AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce. The result contains the key id, so keys can be rotated. */
export function seal(keys: readonly SealKey[], plain: string): string {
  const current = keys[0]
  if (!current) throw new Error('no data key is configured')
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', current.key, nonce).setAAD(Buffer.from(current.id))
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  const parts = [nonce, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url'))
  return [current.id, ...parts].join('.')
}

export const isSealedByOldKey = (keys: readonly SealKey[], sealed: string): boolean =>
  sealed.split('.', 1)[0] !== keys[0]?.id

export function tryUnseal(keys: readonly SealKey[], sealed: string): string | undefined {
  try {
    return unseal(keys, sealed)
  } catch {
    return undefined
  }
}

/** Throws if the key id is unknown or the data was modified. */
export function unseal(keys: readonly SealKey[], sealed: string): string {
  const [id = '', nonce = '', body = '', tag = ''] = sealed.split('.')
  const match = keys.find((key) => key.id === id)
  if (!match) throw new Error(`no data key with id "${id}" is configured`)
  // Without a fixed tag length, some versions of Node.js accept truncated tags.
  const decipher = createDecipheriv('aes-256-gcm', match.key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 })
  decipher.setAAD(Buffer.from(id)).setAuthTag(Buffer.from(tag, 'base64url'))
  return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]).toString('utf8')
}
