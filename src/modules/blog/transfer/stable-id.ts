import { createHash } from 'node:crypto'
import { looksLikeId } from '../../../lib/ids.ts'

/** The namespace for imported ids. With another namespace, a repeated import would create duplicates. */
const namespace = Buffer.from('6f1c54a5e1f84c0b9d2f0f6f5e7a3b21', 'hex')

/** Returns the key if it is an id, or else a version 5 UUID (RFC 9562). The result is the same in every run. */
export function stableId(key: string): string {
  if (looksLikeId(key)) return key
  const hex = createHash('sha1').update(namespace).update(key).digest('hex')
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4]
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, variant + hex.slice(17, 20)]
  return [...parts, hex.slice(20, 32)].join('-')
}
