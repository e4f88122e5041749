import { createHash } from 'node:crypto'
import { sha256 } from '../../../lib/hash.ts'
import { looksLikeId } from '../../../lib/ids.ts'

/** The namespace for imported ids. With another namespace, a repeated import would create duplicates. */
const namespace = Buffer.from('6f1c54a5e1f84c0b9d2f0f6f5e7a3b21', 'hex')

/** Returns the key if it is an id, or else a version 5 UUID (RFC 9562). The result is the same in every run. */
export function stableId(key: string): string {
  if (looksLikeId(key)) return key
  const hash = createHash('sha1').update(namespace).update(key).digest()
  return written(hash.toString('hex'), '5')
}

/** Returns all possible ids for this key. Earlier releases used another hash and UUID version 8. */
export const possibleIds = (key: string): string[] =>
  looksLikeId(key) ? [key] : [stableId(key), written(sha256(key), '8')]

function written(hex: string, version: string): string {
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4]
  const parts = [hex.slice(0, 8), hex.slice(8, 12), version + hex.slice(13, 16), variant + hex.slice(17, 20)]
  return [...parts, hex.slice(20, 32)].join('-')
}
