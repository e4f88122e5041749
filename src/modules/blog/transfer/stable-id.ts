import { sha256 } from '../../../lib/hash.ts'
import { looksLikeId } from '../../../lib/ids.ts'

/** The id of whatever has this key in a file: the same in every run. A UUID of version 8 (RFC 9562), made of a hash. */
export function stableId(key: string): string {
  if (looksLikeId(key)) return key
  const hex = sha256(key)
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
